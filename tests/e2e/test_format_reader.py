#!/usr/bin/env python3
"""The independent reader and the library agree on every file and every answer."""
import os
import random
import subprocess
import sys
import unittest

from filetools import SOURCE, Folder

sys.path.insert(0, os.path.join(SOURCE, "tests"))
import format_reader  # noqa: E402

GOLDEN = os.path.join(SOURCE, "tests", "golden", "files")


def read(path):
    with open(path, "rb") as file:
        return file.read()


def make_items():
    """Items that are in the filters, and random ones of every length up to 1,500; all fit on a line."""
    source = random.Random(20)
    items = [b"item-%d" % i for i in range(1500)]
    for size in list(range(300)) + list(range(300, 1500, 97)):
        items.append(bytes(source.choice(range(11, 256)) for _ in range(size)))
    return items


class Reader(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Folder()
        cls.made = cls.folder.path("made")
        os.mkdir(cls.made)
        cls.folder.run("make", cls.made)

    @classmethod
    def tearDownClass(cls):
        cls.folder.remove()

    def files(self):
        return [os.path.join(folder, name) for folder in (self.made, GOLDEN) for name in sorted(os.listdir(folder))
                if name.endswith(".tamis")]

    def test_hash(self):
        format_reader.self_test()
        known = self.folder.run("sums").decode()
        self.assertEqual(eval("[" + known + "]"), format_reader.KNOWN)

    def test_answers(self):
        items = make_items()
        lines = b"".join(item + b"\n" for item in items)
        some_wrong = False
        for path in self.files():
            wanted = self.folder.run("has", path, input=lines).split()
            filter_ = format_reader.Filter(read(path))
            self.assertEqual([b"%d" % filter_.has(item) for item in items], wanted, path)
            some_wrong = some_wrong or b"1" in wanted[1500:]
        self.assertTrue(some_wrong, "a test without false positives does not test the bits")

    def test_kinds(self):
        kinds = {format_reader.Filter(read(path)).kind for path in self.files()}
        self.assertEqual(kinds, {1, 2, 3, 4})

    def test_damage(self):
        data = bytearray(read(os.path.join(GOLDEN, "counting.tamis")))
        source = random.Random(21)
        for bit in [source.randrange(len(data) * 8) for _ in range(200)]:
            data[bit // 8] ^= 1 << bit % 8
            self.assertRaises(format_reader.BadFile, format_reader.Filter, bytes(data))
            data[bit // 8] ^= 1 << bit % 8
        for size in (0, 7, 8, 4095, 4096, len(data) - 1):
            self.assertRaises(format_reader.BadFile, format_reader.Filter, bytes(data[:size]))
        self.assertRaises(format_reader.BadFile, format_reader.Filter, bytes(data) + b"\0")

    def test_dirty(self):
        """Of a dirty file counts, payload checksum and header checksum are not believed."""
        data = bytearray(read(os.path.join(GOLDEN, "counting.tamis")))
        data[27] |= 0x80
        for at in (64, 72, 112, 200, 4088, 4096):
            data[at] ^= 1
            format_reader.Filter(bytes(data))
        for at in (40, 48, 128, 4080):
            data[at] ^= 1
            self.assertRaises(format_reader.BadFile, format_reader.Filter, bytes(data))
            data[at] ^= 1

    def build_one(self, rules, values):
        """A reader of the list that the command builds from one record."""
        options = ["-t", "|", "-k", "1,2"] if rules == "fields" else ["--" + rule for rule in rules.split()]
        path = self.folder.path("vector.tamis")
        subprocess.run([os.environ["TAMIS"], "build", "-q", "-z", "-n", "10", "-p", "1e-9", "-o", path,
                        *("-i" if option == "--case" else option for option in options)],
                       input=b"|".join(values) + b"\0", check=True)
        return format_reader.Filter(read(path))

    def test_vectors(self):
        """The table of rules in docs/format.md is what the command does."""
        page = read(os.path.join(SOURCE, "docs", "format.md")).decode()
        rows = page.split("<!-- vectors -->")[1].split("<!-- example -->")[0].strip().splitlines()[2:]
        self.assertGreater(len(rows), 15)
        for row in rows:
            rules, item, becomes = [cell.strip() for cell in row.strip("|").split("|")]
            values = [value.strip("`").encode().decode("unicode_escape").encode("latin-1") if value[0] == "`" else b""
                      for value in item.split(", ") + [becomes]]
            filter_ = self.build_one(rules, values[:-1])
            self.assertTrue(filter_.has(values[-1]), row)
            self.assertEqual(filter_.has(values[0]), values[0] == values[-1], row)

    def test_document(self):
        """The numbers of the example in docs/format.md; test_docs.py compares its bytes."""
        page = read(os.path.join(SOURCE, "docs", "format.md")).decode().split("<!-- example -->")[1]
        data = read(os.path.join(GOLDEN, "example.tamis"))
        filter_ = format_reader.Filter(data)
        item_hash = format_reader.xxh3(b"0")
        layer = filter_.layers[0]
        w = item_hash * format_reader.GOLDEN % 2**64
        lanes = [((w >> 61) + i) % 8 for i in range(layer.k)]
        bits = sorted(64 * lane + (w >> 6 * lane) % 64 for lane in lanes)
        self.assertEqual(bits, [i for i in range(512) if layer.lines[i // 8] >> i % 8 & 1])
        places = [(w >> 6 * lane) % 64 for lane in lanes]
        numbers = ["%016x" % item_hash, "%016x" % w]
        for wanted in numbers + [", ".join(map(str, values)) for values in (lanes, places, bits)]:
            self.assertIn(wanted, page.replace("\n", " "))


if __name__ == "__main__":
    unittest.main()
