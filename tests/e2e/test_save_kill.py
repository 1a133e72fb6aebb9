#!/usr/bin/env python3
"""Saves that are killed, that run out of disk, and that meet another writer."""
import hashlib
import os
import random
import subprocess
import time
import unittest

from filetools import Folder

KILLS = 400 if os.environ.get("TAMIS_TEST_FULL") else 40


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


class Saving(unittest.TestCase):
    def setUp(self):
        self.folder = Folder()
        self.addCleanup(self.folder.remove)
        self.path = self.folder.path("x.tamis")

    def temporaries(self):
        return [name for name in os.listdir(self.folder.name) if name.startswith(".x.tamis.tamis-")]

    def kill_after(self, seconds, *arguments):
        """The numbers that the helper printed until it was killed."""
        process = self.folder.start(*arguments)
        time.sleep(seconds)
        process.kill()
        return [int(line) for line in process.communicate()[0].split()]

    def test_B26_kill_leaves_old_or_new(self):
        self.folder.run("save", self.path, "1")
        wanted = {digest(self.path)}
        self.folder.run("save", self.path, "2")
        wanted.add(digest(self.path))
        self.assertEqual(len(wanted), 2)
        source = random.Random(30)
        saves = stopped_inside = 0
        for _ in range(KILLS):
            saves += len(self.kill_after(source.uniform(0.005, 0.06), "save", self.path, "100000"))
            self.assertIn(digest(self.path), wanted)
            stopped_inside += len(self.temporaries())
            for name in self.temporaries():
                os.unlink(self.folder.path(name))
        self.assertGreater(saves, KILLS / 4)
        self.assertGreater(stopped_inside, 0, "no kill came while a file was being written")

    def test_B26_kill_loses_no_saved_item(self):
        self.folder.run("save", self.path, "1")
        source = random.Random(31)
        for command in ("add", "map"):
            safe, first = [], 2000
            for _ in range(KILLS // 2):
                done = self.kill_after(source.uniform(0.005, 0.04), command, self.path, str(first), "100000")
                safe += done
                first += len(done) + 1
            self.assertGreater(len(safe), 0)
            lines = b"".join(b"item-%d\n" % number for number in list(range(1000)) + safe)
            self.assertNotIn(b"0", self.folder.run("has", self.path, input=lines).split())

    def test_two_writers_lose_nothing(self):
        self.folder.run("save", self.path, "1")
        writers = [self.folder.start(command, self.path, str(first), "60")
                   for command, first in (("add", 2000), ("add", 3000), ("map", 4000), ("map", 5000))]
        for writer in writers:
            self.assertEqual(len(writer.communicate()[0].split()), 60)
            self.assertEqual(writer.returncode, 0)
        lines = b"".join(b"item-%d\n" % (first + i) for first in (2000, 3000, 4000, 5000) for i in range(60))
        self.assertNotIn(b"0", self.folder.run("has", self.path, input=lines).split())
        self.assertEqual(self.temporaries(), [])

    def test_B26_full_disk(self):
        mount = self.folder.path("disk")
        os.mkdir(mount)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", mount],
                          stderr=subprocess.DEVNULL).returncode != 0:
            self.skipTest("a small tmpfs cannot be mounted here")
        try:
            path = os.path.join(mount, "x.tamis")
            self.folder.run("save", path, "1")
            before = digest(path)
            process = subprocess.run([self.folder.helper, "fill", path], stderr=subprocess.PIPE)
            self.assertEqual(process.returncode, 3, process.stderr)
            self.assertEqual(digest(path), before)
            self.assertEqual(os.listdir(mount), ["x.tamis"])
        finally:
            subprocess.run(["umount", mount], check=True)


if __name__ == "__main__":
    unittest.main()
