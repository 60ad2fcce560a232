"""Numbers that come as base64 text: little-endian, float32 or whole numbers of two bytes. Also under MicroPython."""

from binascii import a2b_base64
from struct import unpack


def some_bytes(text, start, stop):
    """Return the bytes from start to stop of what base64 text holds; only that part of it is decoded."""
    first = start // 3
    last = (stop + 2) // 3
    return a2b_base64(text[4 * first : 4 * last].encode())[start - 3 * first : stop - 3 * first]


def floats(text, start, count):
    """Return `count` float32 numbers from the one numbered start."""
    return list(unpack("<" + str(count) + "f", some_bytes(text, 4 * start, 4 * (start + count))))


def whole_numbers(text, start, count):
    """Return `count` numbers of two bytes, 0 to 65535, from the one numbered start."""
    return list(unpack("<" + str(count) + "H", some_bytes(text, 2 * start, 2 * (start + count))))
