#!/usr/bin/env python3
"""dedup --state over ten runs, some of them ended by kill -9: a crash may repeat a
line, but no line of the input is missing from all outputs, and the state stays whole.
"""
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TAMIS = os.environ["TAMIS"]
RUNS = 10
LINES = 20000


def line(number):
    return b"https://example.com/%d/%x\n" % (number, number * 2654435761 % 2**40)


def part(run):
    """The input of one run: half of it new, half of it from earlier runs."""
    chance = random.Random(run)
    old = [chance.randrange(run * LINES) for _ in range(LINES)] if run else []
    numbers = old + list(range(run * LINES, (run + 1) * LINES))
    chance.shuffle(numbers)
    return [line(number) for number in numbers]


def feed(process, lines, seconds):
    """Writes all lines within about that time; stops quietly when the process is gone."""
    step = max(1, len(lines) // 50)
    for at in range(0, len(lines), step):
        try:
            process.stdin.write(b"".join(lines[at:at + step]))
            process.stdin.flush()
        except BrokenPipeError:
            return
        time.sleep(seconds / 50)


def start(state, output):
    return subprocess.Popen([TAMIS, "dedup", "--state", str(state), "--checkpoint", "1"], stdin=subprocess.PIPE,
                            stdout=output)


def run_killed(folder, lines, name):
    """A run that is killed while it has read all lines and waits for more."""
    with open(folder / name, "wb") as output:
        process = start(folder / "state", output)
        feed(process, lines, 1.3)
        process.kill()
        process.wait()
        process.stdin.close()


def run_whole(folder, lines, name):
    with open(folder / name, "wb") as output:
        process = start(folder / "state", output)
        feed(process, lines, 0)
        process.stdin.close()
        return process.wait()


def whole_lines(path):
    return path.read_bytes().split(b"\n")[:-1]


def is_whole(state):
    return subprocess.run([TAMIS, "verify", str(state)], stdout=subprocess.DEVNULL, check=False).returncode == 0


def check(folder):
    problems = []
    for run in range(RUNS):
        lines = part(run)
        if run in (0, 3, 4, 7):
            run_killed(folder, lines, f"out-{run}-killed")
            if not is_whole(folder / "state"):
                problems.append(f"run {run}: the state is damaged by the kill")
        if run_whole(folder, lines, f"out-{run}") != 0:
            problems.append(f"run {run}: failed")
    outputs = sorted(folder.glob("out-*"))
    seen = set().union(*(whole_lines(path) for path in outputs))
    expected = {line(number)[:-1] for number in range(RUNS * LINES)}
    if expected - seen:
        problems.append(f"{len(expected - seen)} lines are in no output")
    if seen - expected:
        problems.append(f"{len(seen - expected)} lines are in an output and not in the input")
    calm = [path for path in outputs if path.name in ("out-1", "out-2", "out-5")]
    repeated = sum(len(whole_lines(path)) for path in calm) - LINES * len(calm)
    if repeated:
        problems.append(f"{repeated} lines beyond the new ones in runs that follow no crash")
    left = [path.name for path in folder.iterdir() if path.name != "state" and not path.name.startswith("out-")]
    if len(left) > 4:
        problems.append(f"files left over: {left}")
    return problems


def main():
    with tempfile.TemporaryDirectory(prefix="tamis-state-") as folder:
        problems = check(Path(folder))
    for problem in problems:
        print(problem)
    print("no line was lost" if not problems else "failed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
