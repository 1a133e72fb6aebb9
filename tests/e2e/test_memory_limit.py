#!/usr/bin/env python3
"""common and minus stay within -S (plus 16 MiB of buffers and code), and are exact, for files
far larger than that: with few candidates, with every line a candidate (B = A), with short
lines, of which there are most in a byte, and in threads.

TAMIS_TEST_FULL: two lists of 10 M URLs (build/bench/gen_urls; without it 2 M made here), -S 64M.
"""
import hashlib
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

TAMIS = os.environ["TAMIS"]
FULL = bool(os.environ.get("TAMIS_TEST_FULL"))
SANITIZED = "-fsanitize" in os.environ.get("TAMIS_CC", "")
MIB = 1 << 20
LIMIT = 64 if FULL else 16  # MiB
MORE = 16


def url(number):
    return b"https://example.com/%x/%d/%s" % (number * 2654435761 % 2**32, number, b"path" * 9)


def make_pair(folder, count, common):
    """Two lists of so many distinct lines, of which so many are in both; what they share, as a set of digests."""
    generator = Path(os.environ["TAMIS_BUILD"]) / "bench" / "gen_urls"
    if FULL and generator.exists():
        subprocess.run([generator, "--pair", str(count), str(common), str(folder / "pair")], check=True)
        return folder / "pair.a", folder / "pair.b"
    count, common = (2000000, 200000) if FULL else (count, common)
    for name, first in (("pair.a", 0), ("pair.b", count - common)):
        with open(folder / name, "wb") as out:
            for number in range(first, first + count):
                out.write(url(number * 48271 % 2147483647) + b"\n")
    return folder / "pair.a", folder / "pair.b"


def make_short(folder, count):
    with open(folder / "short", "wb") as out:
        for number in range(count):
            out.write(b"%x\n" % number)
    return folder / "short"


def lines_of(path):
    with open(path, "rb") as source:
        for line in source:
            yield line


def digest(line):
    return hashlib.blake2b(line, digest_size=8).digest()


def summary(lines):
    """Number of lines and a hash of all of them in order."""
    whole, count = hashlib.blake2b(), 0
    for line in lines:
        whole.update(line)
        count += 1
    return count, whole.hexdigest()


def run(folder, command, *arguments):
    """What a run prints, and the most memory it held, in MiB."""
    words = [folder / "peak", TAMIS, command, "-q", "-S", f"{LIMIT}M", *map(str, arguments)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        printed = summary(process.stdout)
        peak = process.stderr.read()
    return process.returncode, printed, int(peak) / 1024


def check_run(problems, name, wanted, *words):
    status, printed, peak = run(words[-1].parent, *words)
    text = f"{name}: status {status}, {printed[0]} lines, at most {peak:.1f} MiB of {LIMIT} + {MORE}"
    print(text)
    wrong = printed != wanted or status != (0 if wanted[0] else 1)
    if wrong or (peak > LIMIT + MORE and not SANITIZED):
        problems.append(f"{text}; {wanted[0]} lines wanted")


def check(folder):
    problems = []
    subprocess.run([*shlex.split(os.environ.get("TAMIS_CC") or "cc"), "-o", folder / "peak",
                    Path(__file__).with_name("peak_helper.c")], check=True)
    a, b = make_pair(folder, 10000000 if FULL else 150000, 1000000 if FULL else 15000)
    in_b = {digest(line) for line in lines_of(b)}
    common = summary(line for line in lines_of(a) if digest(line) in in_b)
    minus = summary(line for line in lines_of(a) if digest(line) not in in_b)
    del in_b
    whole = summary(lines_of(a))
    nothing = summary([])
    for threads in (1, 4):
        parallel = ("--parallel", threads)
        check_run(problems, f"common, {threads} threads", common, "common", *parallel, a, b)
        check_run(problems, f"minus, {threads} threads", minus, "minus", *parallel, a, b)
        check_run(problems, f"all in common, {threads} threads", whole, "common", *parallel, a, a)
        check_run(problems, f"nothing left, {threads} threads", nothing, "minus", *parallel, a, a)
    short = make_short(folder, 5000000 if FULL else 900000)
    check_run(problems, "short lines in common", summary(lines_of(short)), "common", short, short)
    check_run(problems, "short lines, nothing left", nothing, "minus", short, short)
    return problems


def main():
    with tempfile.TemporaryDirectory(prefix="tamis-memory-", dir="/var/tmp") as folder:
        os.environ["TMPDIR"] = folder
        problems = check(Path(folder))
    for problem in problems:
        print(f"wrong: {problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
