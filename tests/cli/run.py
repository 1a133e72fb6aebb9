#!/usr/bin/env python3
"""Runs the command's cases and compares stdout, stderr and exit status exactly.

A case is cases/NAME.sh, run by sh in a fresh folder with `tamis` on the PATH and
$DATA naming tests/data/cases. What it must give stands in NAME.stdout, NAME.stderr
(missing: nothing) and NAME.status (missing: 0). A case that ends with status 77
cannot run here and is skipped. No process that a case started outlives it, also when
it takes too long or the runner is interrupted.

Usage: run.py [--update] [NAME...]     --update writes what the cases give now
The command is $TAMIS, else build/tamis.
"""
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
CASES = HERE / "cases"
TIMEOUT = 60
KINDS = ("stdout", "stderr", "status")
SKIPPED = b"77\n"


def session_of(process):
    """The session that a process belongs to; None when it is gone."""
    try:
        return int((process / "stat").read_bytes().rpartition(b")")[2].split()[3])
    except (OSError, IndexError):
        return None


def end_session(leader):
    """Kills what a case started: its process group, and (timeout makes its own group)
    whatever else is in its session."""
    others = [int(process.name) for process in Path("/proc").glob("[0-9]*") if session_of(process) == leader.pid]
    for kill, number in [(os.killpg, leader.pid)] + [(os.kill, other) for other in others]:
        try:
            kill(number, signal.SIGKILL)
        except ProcessLookupError:
            pass
    leader.wait()


def run_case(script, command):
    """What a case gives: a dictionary of bytes."""
    with tempfile.TemporaryDirectory(prefix="tamis-case-") as folder:
        place = Path(folder)
        (place / "bin").mkdir()
        (place / "work").mkdir()
        (place / "bin" / "tamis").symlink_to(command)
        environment = {
            "PATH": f"{place / 'bin'}:{os.environ['PATH']}",
            "LC_ALL": "C",
            "HOME": str(place),
            "TMPDIR": str(place),
            "DATA": str(ROOT / "tests" / "data" / "cases"),
            "SOURCE": str(ROOT),
        }
        for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS"):
            if name in os.environ:
                environment[name] = os.environ[name]
        case = subprocess.Popen(["sh", str(script)], cwd=place / "work", env=environment, start_new_session=True,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            stdout, stderr = case.communicate(timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            return {"stdout": b"", "stderr": f"no end within {TIMEOUT} s\n".encode(), "status": b"timeout\n"}
        finally:
            end_session(case)
        return {"stdout": stdout, "stderr": stderr, "status": f"{case.returncode}\n".encode()}


def expected(script, kind):
    path = script.with_suffix("." + kind)
    if path.exists():
        return path.read_bytes()
    return b"0\n" if kind == "status" else b""


def update(script, got):
    for kind in KINDS:
        path = script.with_suffix("." + kind)
        default = b"0\n" if kind == "status" else b""
        if got[kind] != default:
            path.write_bytes(got[kind])
        elif path.exists():
            path.unlink()


def show(text):
    return "".join(f"    {line}\n" for line in text.decode("utf-8", "backslashreplace").splitlines())


def check(script, got):
    wrong = [kind for kind in KINDS if got[kind] != expected(script, kind)]
    for kind in wrong:
        print(f"{script.stem}: {kind} differs; expected")
        print(f"{show(expected(script, kind))}  got\n{show(got[kind])}", end="")
    return not wrong


def main(words):
    writing = "--update" in words
    names = [word for word in words if word != "--update"]
    command = Path(os.environ.get("TAMIS", ROOT / "build" / "tamis")).resolve()
    if not command.exists():
        print(f"run.py: {command} is not there; build first, or set TAMIS", file=sys.stderr)
        return 2
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda caught, frame: sys.exit(128 + caught))
    scripts = [CASES / f"{name}.sh" for name in names] or sorted(CASES.glob("*.sh"))
    missing = [script for script in scripts if not script.exists()]
    if missing or not scripts:
        print(f"run.py: no case {missing[0].stem if missing else 'at all'}", file=sys.stderr)
        return 2
    failed = skipped = 0
    for script in scripts:
        got = run_case(script, command)
        if got["status"] == SKIPPED:
            print(f"{script.stem}: skipped")
            skipped += 1
        elif writing:
            update(script, got)
        elif not check(script, got):
            failed += 1
    print(f"{len(scripts) - failed - skipped} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
