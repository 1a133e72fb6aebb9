#!/usr/bin/env python3
"""tests/cli/run.py leaves no process behind: when a case ends before what it started,
when it takes too long, and when the runner itself is interrupted.
"""
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RUNNER = Path(os.environ["TAMIS_SOURCE"]) / "tests" / "cli"
sys.path.insert(0, str(RUNNER))
import run  # noqa: E402

LEFT_BEHIND = """
note='echo $$ >> $PIDS; exec sleep 600'
sh -c "$note" > /dev/null 2>&1 &
timeout 600 sh -c "$note" > /dev/null 2>&1 &
echo $! >> $PIDS
while [ "$(wc -l < $PIDS)" -lt 3 ]; do sleep 0.05; done
"""
WAITS = LEFT_BEHIND + "echo $$ >> $PIDS\ntouch $PIDS.ready\nwait\n"


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0] != b"Z"
    except OSError:
        return False


def some_alive(pids, count):
    """The processes of a case that are still there after a while; their number is checked."""
    numbers = [int(word) for word in pids.read_text().split()]
    assert len(numbers) == count, numbers
    deadline = time.monotonic() + 5
    while any(map(alive, numbers)) and time.monotonic() < deadline:
        time.sleep(0.05)
    left = [number for number in numbers if alive(number)]
    for number in left:
        os.kill(number, signal.SIGKILL)
    return left


def script_of(folder, name, text):
    pids = folder / f"{name}.pids"
    script = folder / f"{name}.sh"
    script.write_text(text.replace("$PIDS", str(pids)))
    return script, pids


def check(folder):
    problems = []
    script, pids = script_of(folder, "ends", LEFT_BEHIND)
    got = run.run_case(script, "/bin/true")
    if got["status"] != b"0\n" or some_alive(pids, 3):
        problems.append(f"after its end: {got}")

    script, pids = script_of(folder, "slow", WAITS)
    run.TIMEOUT = 2
    got = run.run_case(script, "/bin/true")
    if got["status"] != b"timeout\n" or some_alive(pids, 4):
        problems.append(f"after too long a time: {got}")

    for number in (signal.SIGTERM, signal.SIGINT):
        script, pids = script_of(folder, f"signal{number}", WAITS)
        code = f"import run; run.CASES = run.Path({str(folder)!r}); run.main([{script.stem!r}])"
        runner = subprocess.Popen([sys.executable, "-c", code], cwd=RUNNER, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL, env={**os.environ, "TAMIS": "/bin/true"})
        while not Path(f"{pids}.ready").exists() and runner.poll() is None:
            time.sleep(0.05)
        runner.send_signal(number)
        runner.wait(timeout=20)
        if some_alive(pids, 4):
            problems.append(f"after signal {number}")
    return problems


def main():
    with tempfile.TemporaryDirectory(prefix="tamis-runner-") as folder:
        problems = check(Path(folder))
    for problem in problems:
        print(f"a process was left behind {problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
