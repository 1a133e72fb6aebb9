#!/usr/bin/env python3
"""dedup --state from and to regular files: here the input never makes it wait, so that
output lies in its buffer when a checkpoint is due. It is killed right after one, when
a state that is ahead of the output would lose lines, and at other moments.

TAMIS_TEST_FULL: ten runs instead of three, more lines and kills.
"""
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TAMIS = os.environ["TAMIS"]
FULL = os.environ.get("TAMIS_TEST_FULL") == "1"
RUNS, LINES, KILLS = (10, 1000000, 3) if FULL else (2, 700000, 2)


def line(number):
    return f"HTTPS://Example.COM:443/a/../%7e{number}/x\n"


def write_part(path, run):
    """New lines, each followed by one of this part or an earlier one: what is printed
    then is never one piece of the input, and goes through the output's buffer."""
    chance = random.Random(run)
    with open(path, "w", encoding="ascii") as out:
        for number in range(run * LINES, (run + 1) * LINES):
            out.write(line(number) + line(chance.randint(0, number)))


def start(folder, output):
    # --url makes the run long enough for some checkpoints.
    argv = [TAMIS, "dedup", "-q", "--url", "--state", str(folder / "state"), "--checkpoint", "1", str(folder / "part")]
    return subprocess.Popen(argv, stdout=output, stdin=subprocess.DEVNULL)


def inode(path):
    return path.stat().st_ino if path.exists() else None


def wait_for_checkpoint(process, state):
    """Returns as soon as the state was replaced for the second time (when the run
    begins, it may be created), or the run is over."""
    before, changes = inode(state), 0
    while changes < 2 and process.poll() is None:
        now = inode(state)
        changes += now != before
        before = now


def killed_run(folder, name, moment):
    """Ends a run after `moment` seconds, or (None) right after a checkpoint."""
    with open(folder / name, "wb") as output:
        process = start(folder, output)
        if moment is None:
            wait_for_checkpoint(process, folder / "state")
        else:
            time.sleep(moment)
        process.kill()
        return process.wait()


def numbers_of(path):
    for line in path.read_bytes().split(b"\n")[:-1]:
        yield int(line.split(b"%7e")[1].split(b"/")[0])


def check(folder):
    problems = []
    killed = 0
    chance = random.Random(5)
    seen = bytearray(RUNS * LINES)
    for run in range(RUNS):
        write_part(folder / "part", run)
        for kill in range(KILLS):
            name = f"out-{run}-{kill}"
            killed += killed_run(folder, name, None if kill % 3 < 2 else chance.uniform(0.2, 2.5)) < 0
            if (folder / "state").exists():
                whole = subprocess.run([TAMIS, "verify", str(folder / "state")], stdout=subprocess.DEVNULL, check=False)
                if whole.returncode != 0:
                    problems.append(f"{name}: the state is damaged by the kill")
        with open(folder / f"out-{run}", "wb") as output:
            if start(folder, output).wait() != 0:
                problems.append(f"run {run} failed")
        for path in folder.glob(f"out-{run}*"):
            data = path.read_bytes()
            if not data.endswith(b"\n"): # torn by the kill
                path.write_bytes(data[:data.rfind(b"\n") + 1])
            for number in numbers_of(path):
                seen[number] = 1
            path.unlink()
    total = RUNS * LINES
    lost = total - sum(seen)
    if lost:
        problems.append(f"{lost} of {total} lines are in no output")
    if killed == 0:
        problems.append("no run was killed in time: the test shows nothing")
    print(f"{killed} runs killed, {total} lines")
    return problems


def main():
    with tempfile.TemporaryDirectory(prefix="tamis-state-") as folder:
        problems = check(Path(folder))
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
