#!/usr/bin/env python3
"""Damaged filter files through every command that reads one whole: refused with status 2
and one line, nothing changed, no crash (field reports B19, B21, B23, B59).

TAMIS_TEST_FULL: every length and every bit instead of a sample, for all kinds.
"""
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

TAMIS = os.environ["TAMIS"]
FULL = os.environ.get("TAMIS_TEST_FULL") == "1"


def tamis(*arguments, stdin=b"", **more):
    return subprocess.run([TAMIS, *map(str, arguments)], input=stdin, capture_output=True, check=False, **more)


def make_lists(folder):
    words = "\n".join(f"word {i}" for i in range(40)).encode()
    (folder / "words").write_bytes(words)
    for kind in ("bloom", "counting", "scalable"):
        made = tamis("build", "-n", 40, "--kind", kind, "-o", folder / kind, folder / "words")
        assert made.returncode == 0, made.stderr


def commands(bad, folder):
    """Every command that reads a filter file whole."""
    good, words, out = folder / "bloom", folder / "words", folder / "out"
    return [
        ("verify", bad), ("info", bad), ("info", "--json", bad), ("check", bad, words), ("add", bad, words),
        ("remove", bad, words), ("merge", "-o", out, good, bad), ("merge", "-o", out, bad, good),
        ("explain", bad, "word 1"), ("dedup", "--state", bad, words), ("check", "-l", f"x={bad}", words),
    ]


def complaint(bad, folder, which):
    """What is wrong with the answer to a damaged file; None: nothing."""
    before = bad.read_bytes()
    for arguments in which:
        done = tamis(*arguments)
        where = f"tamis {' '.join(map(str, arguments))}"
        if done.returncode != 2:
            return f"{where}: status {done.returncode}"
        if done.stdout or done.stderr.count(b"\n") != 1:
            return f"{where}: said {done.stdout!r} {done.stderr!r}"
        if bad.read_bytes() != before or (folder / "out").exists():
            return f"{where}: something was written"
    return None


def damaged(whole, chance):
    """Truncations, single-bit flips, bytes behind the end."""
    size, bits = len(whole), 8 * len(whole)
    lengths = range(size) if FULL else sorted({0, 1, 7, 8, 63, 64, 4095, 4096, 4097, size - 1, *chance.sample(range(size), 40)})
    # Not bit 223: the dirty mark alone makes a file that opens, and that verify complains of.
    flips = (bit for bit in range(bits) if bit != 223) if FULL else [*range(0, 1600, 13), *chance.sample(range(bits), 150)]
    for length in lengths:
        yield f"cut to {length} bytes", whole[:length]
    for bit in flips:
        changed = bytearray(whole)
        changed[bit // 8] ^= 1 << bit % 8
        yield f"bit {bit} flipped", bytes(changed)
    for extra in (b"\0", b"\n", whole):
        yield "bytes behind the end", whole + extra


def check(folder):
    problems, cases = [], 0
    chance = random.Random(7)
    for kind in ("bloom", "counting", "scalable"):
        whole = (folder / kind).read_bytes()
        bad = folder / "bad"
        for number, (what, data) in enumerate(damaged(whole, chance)):
            bad.write_bytes(data)
            every = commands(bad, folder)
            # verify sees every case; the others take turns (in full: at every eighth).
            turn = every[1 + number // 8 % (len(every) - 1)] if number % 8 == 0 or not FULL else every[0]
            which = [every[0], turn] if data else every
            problem = complaint(bad, folder, which)
            cases += 1
            if problem:
                problems.append(f"{kind}, {what}: {problem}")
    # Little memory: a forged size must not be allocated before it is compared.
    (folder / "six").write_bytes(bytes.fromhex("01017fffffff"))
    for path in ("six", "words"):
        problem = complaint(folder / path, folder, commands(folder / path, folder)[:4])
        if problem:
            problems.append(f"{path}: {problem}")
    print(f"{cases} damaged files, {len(problems)} problems")
    return problems


def main():
    with tempfile.TemporaryDirectory(prefix="tamis-hostile-") as name:
        folder = Path(name)
        make_lists(folder)
        problems = check(folder)
    for problem in problems[:20]:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
