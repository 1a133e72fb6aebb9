#!/usr/bin/env python3
"""Writes the seeds of fuzz_file.c, in its short form, from the golden files.

    tests/fuzz/make_file_seeds.py
"""
import pathlib
import struct

TESTS = pathlib.Path(__file__).resolve().parent.parent

for path in sorted((TESTS / "golden" / "files").glob("*.tamis")):
    data = path.read_bytes()
    if len(data) > 8192:
        continue
    header = 128 + 96 * struct.unpack_from("<I", data, 120)[0]
    seed = b"\2" + struct.pack("<H", header) + data[:header] + data[4096:]
    (TESTS / "fuzz" / "corpus" / "fuzz_file" / path.stem).write_bytes(seed)
