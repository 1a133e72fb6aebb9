"""What the pages show is what happens.

Each page (README.md, CONTRIBUTING.md, docs/*.md) runs from top to bottom in one temporary folder, in which the
folders of the project (docs, tests, tools, ...) can be reached by name:

```sh       lines that begin with "$ " are commands (a backslash continues them); the lines below
            are their output, stderr included, in full. "..." stands for anything, also for lines.
            Without any "$ " the block is a script that has to end with status 0. A command shown
            without status must end with status 0; show others with: cmd; echo "status $?"
```c        with a main(): compiled with warnings as errors and linked; with "/* NAME.c" in its
            first line it is also saved as NAME.c for the commands that follow.
```console  shown, not run here: the commands of RUN_BY_CI only.
Other fences are left alone.
"""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["TAMIS_SOURCE"])
BUILD = pathlib.Path(os.environ["TAMIS_BUILD"])
# Steps of .ci/run run these: they build and install.
RUN_BY_CI = ("script/demo", "script/test", ".ci/run", "make", "sudo make install")
FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```\s*$", re.M | re.S)


def pages():
    return [SOURCE / "README.md", SOURCE / "CONTRIBUTING.md", *sorted((SOURCE / "docs").glob("*.md"))]


def blocks(text):
    """(language, body, line number of the body) of each fenced block."""
    for match in FENCE.finditer(text):
        yield match.group(1), match.group(2), text.count("\n", 0, match.start(2)) + 1


def commands(body):
    """(command, expected output, offset) of a block with "$ " lines."""
    found = []
    lines = body.splitlines()
    number = 0
    while number < len(lines):
        line = lines[number]
        if line.startswith("$ "):
            at, command = number, line[2:]
            while command.endswith("\\") and number + 1 < len(lines):
                number += 1
                command += "\n" + lines[number]
            found.append([command, "", at])
        elif found:
            found[-1][1] += line + "\n"
        number += 1
    return found


def same_line(shown, printed):
    parts = re.split(r"(?<!\.)\.{3}(?!\.)", shown)  # more than three dots are dots
    return re.fullmatch(".*".join(map(re.escape, parts)), printed) is not None


def matches(expected, output):
    """Whether the lines are as shown; a line "..." stands for any number of lines."""
    shown = expected.splitlines()
    ends = {0}  # numbers of printed lines that the shown lines so far can stand for
    printed = output.splitlines()
    for line in shown:
        if line == "...":
            ends = set(range(min(ends), len(printed) + 1)) if ends else set()
        else:
            ends = {end + 1 for end in ends if end < len(printed) and same_line(line, printed[end])}
    return len(printed) in ends


def compiler():
    """TAMIS_CC with its program's path, so that a wrapper named cc does not call itself."""
    program, *flags = shlex.split(os.environ["TAMIS_CC"])
    return shlex.join([shutil.which(program) or program, *flags])


def environment(folder):
    """Where the command and the library are found, and cc is the compiler of this build."""
    env = dict(os.environ)
    bin_folder = folder / ".bin"
    if not bin_folder.exists():
        bin_folder.mkdir()
        (bin_folder / "cc").write_text(f'#!/bin/sh\nexec {compiler()} "$@"\n')
        (bin_folder / "cc").chmod(0o755)
    env["PATH"] = f"{bin_folder}:{BUILD}:{env['PATH']}"
    for name, folder in (("CPATH", SOURCE / "include"), ("LIBRARY_PATH", BUILD), ("LD_LIBRARY_PATH", BUILD)):
        env[name] = str(folder)
    return env


def shell(command, folder):
    done = subprocess.run(["sh", "-c", command], cwd=folder, env=environment(folder), stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
    return done.returncode, done.stdout.decode(errors="replace")


class Matching(unittest.TestCase):
    def test_dots(self):
        for expected, output, right in (("a\n", "a\n", True), ("a\n", "b\n", False), ("", "a\n", False),
                                        ("a...c\n", "abbbc\n", True), ("a\n...\n", "a\n", True),
                                        ("a\n...\nz\n", "a\nb\nc\nz\n", True), ("a\n...\nz\n", "a\nb\n", False),
                                        ("a.c\n", "abc\n", False), ("a....c\n", "abbbbc\n", False)):
            self.assertEqual(matches(expected, output), right, (expected, output))

    def test_commands(self):
        self.assertEqual(commands("$ a \\\n  b\nout\n$ c\n"), [["a \\\n  b", "out\n", 0], ["c", "", 3]])


class Pages(unittest.TestCase):
    def run_sh(self, body, where, folder):
        found = commands(body)
        if not found:
            status, output = shell("set -e\n" + body, folder)
            self.assertEqual(status, 0, f"{where}: the script fails:\n{output}")
        for command, expected, offset in found:
            status, output = shell(command, folder)
            place = f"{where}+{offset}: {command}"
            self.assertEqual(status, 0, f"{place}: status {status}:\n{output}")
            self.assertTrue(matches(expected, output), f"{place}\nshown:\n{expected}\nprinted:\n{output}")

    def run_c(self, body, where, folder):
        if not re.search(r"\bmain\(", body):
            return
        named = re.match(r"/\* (\w+\.c)\b", body)
        source = folder / (named.group(1) if named else "block.c")
        source.write_text(body)
        status, output = shell(f"cc -std=c11 -Wall -Wextra -Werror {source.name} -ltamis -o block.out", folder)
        self.assertEqual(status, 0, f"{where}: does not compile:\n{output}")

    def run_console(self, body, where):
        for line in body.splitlines():
            command = line.removeprefix("$ ")
            self.assertTrue(command.startswith(RUN_BY_CI), f"{where}: {line}: nothing runs this; use ```sh")

    def run_page(self, page):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for entry in SOURCE.iterdir():
                if not entry.name.startswith((".", "build")):
                    (folder / entry.name).symlink_to(entry)
            for language, body, line in blocks(page.read_text()):
                where = f"{page.name}:{line}"
                if language == "sh":
                    self.run_sh(body, where, folder)
                elif language == "c":
                    self.run_c(body, where, folder)
                elif language == "console":
                    self.run_console(body, where)


def add_page_tests():
    for page in pages():
        name = "test_" + re.sub(r"\W", "_", page.stem)
        setattr(Pages, name, lambda self, page=page: self.run_page(page))


add_page_tests()
if __name__ == "__main__":
    unittest.main()
