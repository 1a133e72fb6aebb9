#!/usr/bin/env python3
"""An independent reader of filter files, made from docs/format.md alone.

    format_reader.py FILE < ITEMS     prints 1 or 0 for each line: in the filter or not
    format_reader.py --self-test      compares its XXH3-64 with known values
"""
import struct
import sys

M64 = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15

# --- XXH3-64 --------------------------------------------------------------------
P32 = (0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D)
P64 = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5)
SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221"
    "b8084674f743248ee03590e6813a264c3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8"
    "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364eac5ac8334d3ebc3c581a0fffa1363eb"
    "170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e")


def word(data, at, size=8):
    return int.from_bytes(data[at:at + size], "little")


def swapped(value, size):
    return int.from_bytes(value.to_bytes(size, "little"), "big")


def folded(a, b):  # the 128-bit product, its halves combined
    product = a * b
    return (product & M64) ^ (product >> 64)


def mixed(value, factors, shifts):
    value ^= value >> shifts[0]
    for factor, shift in zip(factors, shifts[1:]):
        value = value * factor & M64
        value ^= value >> shift
    return value


def finish_short(value):
    return mixed(value, (P64[1], P64[2]), (33, 29, 32))


def finish(value):
    return mixed(value & M64, (0x165667919E3779F9,), (37, 32))


def mix16(data, at, key, seed):
    low = word(data, at) ^ (word(SECRET, key) + seed & M64)
    return folded(low, word(data, at + 8) ^ (word(SECRET, key + 8) - seed & M64))


def xxh3_to_16(data, seed):
    size = len(data)
    if size > 8:
        low = word(data, 0) ^ ((word(SECRET, 24) ^ word(SECRET, 32)) + seed & M64)
        high = word(data, size - 8) ^ ((word(SECRET, 40) ^ word(SECRET, 48)) - seed & M64)
        return finish(size + swapped(low, 8) + high + folded(low, high))
    if size > 3:
        seed ^= swapped(seed & 0xFFFFFFFF, 4) << 32
        value = word(data, size - 4, 4) + (word(data, 0, 4) << 32)
        value ^= (word(SECRET, 8) ^ word(SECRET, 16)) - seed & M64
        value ^= (value << 49 | value >> 15) & M64 ^ (value << 24 | value >> 40) & M64
        value = value * 0x9FB21C651E98DF25 & M64
        value ^= (value >> 35) + size
        value = value * 0x9FB21C651E98DF25 & M64
        return value ^ value >> 28
    if size > 0:
        value = data[0] << 16 | data[size >> 1] << 24 | data[-1] | size << 8
        return finish_short(value ^ (word(SECRET, 0, 4) ^ word(SECRET, 4, 4)) + seed & M64)
    return finish_short(seed ^ word(SECRET, 56) ^ word(SECRET, 64))


def xxh3_to_240(data, seed):
    size = len(data)
    total = size * P64[0]
    if size <= 128:
        for i in range((size - 1) // 32, -1, -1):
            total += mix16(data, 16 * i, 32 * i, seed) + mix16(data, size - 16 * (i + 1), 32 * i + 16, seed)
        return finish(total)
    total = finish(total + sum(mix16(data, 16 * i, 16 * i, seed) for i in range(8)))
    total += sum(mix16(data, 16 * i, 16 * (i - 8) + 3, seed) for i in range(8, size // 16))
    return finish(total + mix16(data, size - 16, 119, seed))


def accumulate(lanes, data, at, key, offset):
    values = struct.unpack_from("<8Q", data, at)
    keys = struct.unpack_from("<8Q", key, offset)
    for i in range(8):
        product = values[i] ^ keys[i]
        lanes[i ^ 1] = lanes[i ^ 1] + values[i] & M64
        lanes[i] = lanes[i] + (product & 0xFFFFFFFF) * (product >> 32) & M64


def xxh3_long(data, seed):
    size = len(data)
    key = b"".join(struct.pack("<QQ", word(SECRET, 16 * i) + seed & M64, word(SECRET, 16 * i + 8) - seed & M64)
                   for i in range(12))
    lanes = [P32[2], P64[0], P64[1], P64[2], P64[3], P32[1], P64[4], P32[0]]
    for stripe in range((size - 1) // 64):
        accumulate(lanes, data, 64 * stripe, key, 8 * (stripe % 16))
        if stripe % 16 == 15:
            lanes = [(lane ^ lane >> 47 ^ word(key, 128 + 8 * i)) * P32[0] & M64 for i, lane in enumerate(lanes)]
    accumulate(lanes, data, size - 64, key, 121)
    return finish(size * P64[0] + sum(folded(lanes[2 * i] ^ word(key, 11 + 16 * i),
                                             lanes[2 * i + 1] ^ word(key, 19 + 16 * i)) for i in range(4)))


def xxh3(data, seed=0):
    return (xxh3_to_16 if len(data) <= 16 else xxh3_to_240 if len(data) <= 240 else xxh3_long)(data, seed)


def self_test():
    """Sums of the hashes of the first n of the bytes 7i+3 mod 256, for ranges of n."""
    data = bytes((7 * i + 3) % 256 for i in range(1500))
    for first, last, seed, wanted in KNOWN:
        total = sum(xxh3(data[:size], seed) for size in range(first, last + 1)) & M64
        assert total == wanted, (first, last, hex(seed), hex(total))


# (From a C program: tests/e2e/file_helper.c, "sums".)
KNOWN = [
    (0, 0, 0x0, 0x2d06800538d394c2),
    (1, 3, 0x0, 0xd97f0b4f970cf075),
    (4, 8, 0x0, 0xefe07d95260cccf1),
    (9, 16, 0x0, 0x03487bb6d9229c1d),
    (17, 128, 0x0, 0xad4f2e0781b61877),
    (129, 240, 0x0, 0x2f4864f857a38b2c),
    (241, 1500, 0x0, 0x94353420af09a28b),
    (0, 0, 0xfedcba9876543210, 0xe2bda2b8c0a330da),
    (1, 3, 0xfedcba9876543210, 0xa9ce587e93a1ac57),
    (4, 8, 0xfedcba9876543210, 0x3a8e8954a0f195d0),
    (9, 16, 0xfedcba9876543210, 0xc46f83fe293c03d1),
    (17, 128, 0xfedcba9876543210, 0xb274a576370596f4),
    (129, 240, 0xfedcba9876543210, 0xa5285f41fd0baab1),
    (241, 1500, 0xfedcba9876543210, 0xd144f44bc0dfb9dd),
]

# --- the file --------------------------------------------------------------------
MAGIC = b"\x89TMS\r\n\x1a\n"
BLOOM, COUNTING, SCALABLE, ROTATING = 1, 2, 3, 4
LINES, COUNTERS, METADATA = 1, 2, 4


class BadFile(Exception):
    pass


def require(truth, what):
    if not truth:
        raise BadFile(what)


def zeroed(header, counts_too):
    """The header without its dirty mark, and without what a writer in place changes."""
    header = bytearray(header)
    header[27] &= 0x7F
    for at in [64, 72, 112] + [128 + 96 * i + 72 for i in range(18)] if counts_too else []:
        header[at:at + 8] = bytes(8)
    return bytes(header)


class Layer:
    def __init__(self, entry):
        (self.regions, self.region_lines, self.g, self.k, zero, self.capacity, self.rate, self.items_new,
         self.bits_set) = struct.unpack_from("<QIIIIQdQQ", entry, 24)
        require(zero == 0 and not any(entry[80:]), "unused bytes of a section")
        require(self.regions >= 1 and 1 <= self.region_lines <= 65536, "regions")
        require(1 <= self.g <= 8 and 1 <= self.k <= 8, "g or k")
        require(1 <= self.capacity <= 2**48 and 0 < self.rate < 1, "capacity or rate of a layer")

    def has(self, item_hash):
        product = item_hash * self.regions
        first, low = (product >> 64) * self.region_lines, product & M64
        for j in range(self.g):
            line_hash = mixed(item_hash + j * GOLDEN & M64, (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53),
                              (33, 33, 33)) if j else item_hash
            line = first + ((line_hash if j else low) * self.region_lines >> 64)
            w = line_hash * GOLDEN & M64
            for i in range(self.k):
                lane = ((w >> 61) + i) % 8
                bit = 512 * line + 64 * lane + (w >> 6 * lane) % 64
                if not self.lines[bit // 8] >> bit % 8 & 1:
                    return False
        return True


class Filter:
    def __init__(self, data):
        require(data[:8] == MAGIC, "magic")
        require(len(data) >= 4096, "length of the header")
        self.dirty = data[27] >> 7 != 0
        require(word(data, 4080) == xxh3(zeroed(data[:4080], True)), "fixed checksum")
        require(self.dirty or word(data, 4088) == xxh3(zeroed(data[:4088], False)), "header checksum")
        (version, self.kind, dialect, hash_id, incompatible, self.compatible, self.flags, self.normalisation,
         self.seed, zero, self.capacity, self.rate, self.offered, bits_set, self.region_lines, self.tightening,
         self.window, self.now, length, checksum, sections, zero2) = struct.unpack_from("<4H4I2QQdQQ2I4Q2I", data, 8)
        require((version, dialect, hash_id, incompatible) == (1, 0, 1, 0), "version or feature")
        require(1 <= self.kind <= 4 and not self.flags & ~0x80000007, "kind or flags")
        require(zero == 0 and zero2 == 0, "unused bytes")
        require(self.compatible or not any(data[128 + 96 * sections:4080]), "unused bytes behind the table")
        require(1 <= self.capacity <= 2**48 and 0 < self.rate < 1, "capacity or rate")
        require(length == len(data) - 4096 and 1 <= sections <= 18, "length")
        require(self.dirty or checksum == xxh3(data[4096:]), "payload checksum")
        self.layers, self.counters, self.metadata = [], None, b""
        self.read_sections(data, [data[128 + 96 * i:224 + 96 * i] for i in range(sections)])
        require(self.dirty or bits_set == sum(layer.bits_set for layer in self.layers), "bits set")

    def read_sections(self, data, table):
        at = 4096
        for entry in table:
            kind, index, offset, length = struct.unpack_from("<IIQQ", entry)
            require(offset == at and offset + length <= len(data), "offset or length of a section")
            at += -(-length // 64) * 64
            require(not any(data[offset + length:at]), "padding")
            if kind == LINES:
                layer = Layer(entry)
                require(index == len(self.layers), "order of layers")
                require(length == 64 * layer.regions * layer.region_lines, "length of lines")
                layer.lines = data[offset:at]
                count = sum(bin(byte).count("1") for byte in layer.lines if byte)
                require(self.dirty or layer.bits_set == count, "bits set of a layer")
                self.layers.append(layer)
            elif kind == COUNTERS:
                require(length == 4 * len(self.layers[0].lines), "length of counters")
                self.counters = data[offset:at]
            else:
                require(kind == METADATA and 1 <= length <= 2**20, "section type")
                self.metadata = data[offset:offset + length]
        require(at == len(data), "end of the file")
        count = {BLOOM: (1, 1), COUNTING: (1, 1), SCALABLE: (1, 16), ROTATING: (9, 9)}[self.kind]
        require(count[0] <= len(self.layers) <= count[1], "number of layers")
        require((self.counters is not None) == (self.kind == COUNTING), "counters")

    def has(self, item):
        item_hash = xxh3(item, self.seed)
        return any(layer.has(item_hash) for layer in self.layers)


def main(arguments):
    if arguments == ["--self-test"]:
        self_test()
        return 0
    with open(arguments[0], "rb") as file:
        filter_ = Filter(file.read())
    for line in sys.stdin.buffer:
        print(int(filter_.has(line.rstrip(b"\n"))))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
