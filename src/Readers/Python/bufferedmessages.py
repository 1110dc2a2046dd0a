#!/usr/bin/env python3
"""A reader of BufferedMessages that needs no .NET: messages (BMF1), schema texts and queue directories (BMQ, version 2).

One module, Python 3.9 or later, the standard library only. docs/format/ describes the formats.

    schema = Schema.parse(text)
    error = verify(data, schema)                  # None, or an Error with rule, position and path
    order = decode(data, schema)                  # dictionaries, lists, numbers, strings
    text = to_json(data, schema)                  # the JSON that .NET writes, byte for byte
    data = encode(order, schema)                  # the bytes that .NET writes
    for record in Queue("/var/lib/shop/orders").read():
        print(record.position, record.properties)

Reading a queue maps its files read-only and takes no lease, no slot and no lock: no participant notices the reader or waits for it.

Pure Python has no acquire fence. Instead this holds: the words that other processes write (state words, the number of open segments, the
states of ring slots) are at multiples of 8 and are loaded through memoryview.cast('Q') or cast('q'), which CPython does with one 8-byte copy.
On x86-64 such a load is not torn, and the processor does not let a later load pass an earlier one, so a payload that is read after a
committed state word is the payload of that record. On a processor with a weaker order, such as ARM64, neither the language nor CPython
promises that; there the interpreter runs hundreds of instructions between the two loads, which is not a guarantee. Queues that have
checksums are checked, so that a payload that was read too early is noticed; use the C reader where that is not enough.
"""

import argparse
import base64
import decimal
import errno
import heapq
import mmap
import os
import stat
import struct
import sys
import time
import uuid
from datetime import datetime, timedelta
from typing import Iterator, NamedTuple, Optional

HEADER_BYTES = 8
WORD_BYTES = 8
MAX_BLOCK_WORDS = 65535
MAX_DEPTH = 64
MAX_INLINE_BYTES = 7
EMPTY_SLOT = 1 << 63
MAX_MESSAGE_BYTES = 2**31 - 1
MAX_ENTRIES_WITHOUT_BUCKETS = 8
MAX_KIND_NESTING = 64


class Error(NamedTuple):
    """The rule of the format that a message breaks, and the place."""

    rule: str
    position: int
    path: str

    def __str__(self):
        return f"{self.path or 'the message'}, byte {self.position}: {self.rule}"


class MalformedMessage(Exception):
    """The bytes are not a well-formed message."""

    def __init__(self, rule, position=0, path=""):
        super().__init__(str(Error(rule, position, path)))
        self.rule = rule
        self.position = position
        self.path = path


class SchemaError(ValueError):
    """The text is not a schema text, or one of a newer version."""


class QueueError(Exception):
    """The directory is not a queue that this reader can read, or its files are damaged."""


class Rule:
    """The rules that a verification checks, in the words of the format."""

    TOO_SHORT = "it is shorter than a header and a block"
    HEADER = "its version or its flags are unknown"
    TOTAL_BYTES = "its size is not a multiple of 8, or larger than the given bytes"
    ROOT_BLOCK = "its root block is empty, or larger than the message"
    CASE = "a union has a case of number 0"
    INLINE_LENGTH = "an inline string or binary is longer than 7 bytes"
    MESSAGE_LIST_HEADER = "a list of messages has empty blocks or unknown flags"
    ORDER = "payloads overlap, or are not in the order of their slots"
    DICTIONARY_HEADER = "a dictionary has a header that does not point to its values"
    SET_HEADER = "a set has a header that points to values"
    NULL_KEY = "a key of a dictionary or set is null"
    EQUAL_KEYS = "a dictionary or set holds a key twice"
    NULL_ROOT = "a message that is a union holds no case"
    OUTSIDE = "a payload reaches beyond the end of the message"
    ALIGNMENT = "a payload is not aligned"
    GAP = "a payload does not follow the one before directly"
    GAP_BYTES = "bytes between payloads are not zero"
    TAIL = "bytes after the last payload are not zero, or too many"
    BLOCK_SIZE = "a block is not of the size that its type has"
    HOLE = "bytes or bits of a block that belong to no member are not zero"
    NESTED_SLOT = "the slot of a nested message or a union has an empty block, or bits that must be zero"
    UNKNOWN_CASE = "a union has a case that its type does not have"
    INLINE_BYTES = "bytes after an inline string or binary are not zero"
    NOT_INLINE = "a string or binary of up to 7 bytes is not stored in its slot"
    EMPTY_LIST = "an empty list, set or dictionary has a payload"
    TEXT = "a string is not UTF-8"
    BOOL = "a bool is neither 0 nor 1"
    ABSENT = "a value that is null is not zero"
    ABSENT_MESSAGE = "the block of a null message is not zero"
    PADDING = "padding in a struct is not zero"
    BITMAP_END = "bits or bytes after the presence bits of a list are not zero"
    NEEDLESS_BITMAP = "a list of messages without a null has presence bits"
    KEY_ORDER = "the keys of a dictionary or set are not in order"
    BUCKETS = "the buckets of a dictionary or set do not fit its keys"
    BUCKETS_END = "bytes after the buckets of a dictionary or set are not zero"
    DEPTH = "messages are nested more than 64 deep"
    VALUE = "a value is outside of the range of "


# ---------------------------------------------------------------- hashes

_MASK = 2**64 - 1
_P1, _P2, _P3, _P4, _P5 = (
    0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5)


def _rotate(value, bits):
    return ((value << bits) | (value >> (64 - bits))) & _MASK


def _round(lane, word):
    return _rotate((lane + word * _P2) & _MASK, 31) * _P1 & _MASK


def xxh64(data):
    """XXH64 with the seed 0."""
    data = bytes(data)
    length = len(data)
    at = 0
    if length >= 32:
        lanes = [(_P1 + _P2) & _MASK, _P2, 0, -_P1 & _MASK]
        while length - at >= 32:
            words = struct.unpack_from("<4Q", data, at)
            lanes = [_round(lane, word) for lane, word in zip(lanes, words)]
            at += 32
        result = (_rotate(lanes[0], 1) + _rotate(lanes[1], 7) + _rotate(lanes[2], 12) + _rotate(lanes[3], 18)) & _MASK
        for lane in lanes:
            result = ((result ^ _round(0, lane)) * _P1 + _P4) & _MASK
    else:
        result = _P5
    result = (result + length) & _MASK
    while length - at >= 8:
        result ^= _round(0, struct.unpack_from("<Q", data, at)[0])
        result = (_rotate(result, 27) * _P1 + _P4) & _MASK
        at += 8
    if length - at >= 4:
        result ^= struct.unpack_from("<I", data, at)[0] * _P1 & _MASK
        result = (_rotate(result, 23) * _P2 + _P3) & _MASK
        at += 4
    while at < length:
        result ^= data[at] * _P5 & _MASK
        result = _rotate(result, 11) * _P1 & _MASK
        at += 1
    result = (result ^ (result >> 33)) * _P2 & _MASK
    result = (result ^ (result >> 29)) * _P3 & _MASK
    return result ^ (result >> 32)


def _crc_table():
    table = []
    for i in range(256):
        for _ in range(8):
            i = (i >> 1) ^ 0x82F63B78 if i & 1 else i >> 1
        table.append(i)
    return table


_CRC = _crc_table()


def crc32c(data, crc=0):
    """CRC-32C (Castagnoli) of bytes; `crc` continues an earlier one."""
    crc ^= 0xFFFFFFFF
    for byte in bytes(data):
        crc = _CRC[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    return crc ^ 0xFFFFFFFF


# ---------------------------------------------------------------- values

TICKS_PER_SECOND = 10_000_000
_TICKS_PER_MINUTE = 60 * TICKS_PER_SECOND
_TICKS_PER_DAY = 86_400 * TICKS_PER_SECOND
_MAX_TICKS = 3_155_378_975_999_999_999
_MAX_DAYS = 3_652_058
_TICKS_MASK = (1 << 62) - 1


def _clock(ticks):
    seconds, fraction = divmod(ticks, TICKS_PER_SECOND)
    return f"{seconds // 3600 % 24:02}:{seconds // 60 % 60:02}:{seconds % 60:02}", fraction


def _date(days):
    date = datetime(1, 1, 1) + timedelta(days=days)
    return f"{date.year:04}-{date.month:02}-{date.day:02}"


def _date_time(ticks):
    clock, fraction = _clock(ticks)
    return f"{_date(ticks // _TICKS_PER_DAY)}T{clock}.{fraction:07}"


def _offset(minutes):
    return f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"


class DateTime(NamedTuple):
    """Ticks of 100 ns since 0001-01-01, and a kind: 0 unspecified, 1 UTC, 2 local."""

    ticks: int
    kind: int = 0

    def __str__(self):
        """ISO 8601. A local time is followed by the offset of this machine's time zone, as .NET has it."""
        suffix = "" if self.kind == 0 else "Z" if self.kind == 1 else _offset(self._local_minutes())
        return _date_time(self.ticks) + suffix

    def _local_minutes(self):
        moment = datetime(1, 1, 1) + timedelta(microseconds=self.ticks // 10)
        # Of a moment that is outside of the range in UTC: a year of the same days.
        for years in (0, 400, -800):
            try:
                moment = moment.replace(year=moment.year + years)
                # Of a time that a change of the clocks repeats or skips .NET takes the smaller offset.
                offset = min(moment.replace(fold=fold).astimezone().utcoffset() for fold in (0, 1))
                return int(offset.total_seconds() / 60)
            except (OverflowError, ValueError, OSError):
                continue
        return -time.timezone // 60


class DateTimeOffset(NamedTuple):
    """UTC ticks of 100 ns since 0001-01-01, and the offset of the local time in minutes."""

    utc_ticks: int
    minutes: int = 0

    def __str__(self):
        return _date_time(self.utc_ticks + self.minutes * _TICKS_PER_MINUTE) + _offset(self.minutes)


class TimeSpan(NamedTuple):
    """A number of ticks of 100 ns."""

    ticks: int

    def __str__(self):
        days, rest = divmod(abs(self.ticks), _TICKS_PER_DAY)
        clock, fraction = _clock(rest)
        return ("-" if self.ticks < 0 else "") + (f"{days}." if days else "") + clock + (f".{fraction:07}" if fraction else "")


class DateOnly(NamedTuple):
    """Days since 0001-01-01."""

    days: int

    def __str__(self):
        return _date(self.days)


class TimeOnly(NamedTuple):
    """Ticks of 100 ns since midnight."""

    ticks: int

    def __str__(self):
        clock, fraction = _clock(self.ticks)
        return f"{clock}.{fraction:07}"


class NaN(float):
    """A float that is not a number, with its bits: so a message that is written again is the same."""

    bits: int

    def __new__(cls, bits):
        value = super().__new__(cls, "nan")
        value.bits = bits
        return value


def _float_codec(code, bits_code, infinity):
    value_struct, bits_struct = struct.Struct(code), struct.Struct(bits_code)

    magnitude = (1 << (8 * bits_struct.size - 1)) - 1

    def read(data, at):
        bits = bits_struct.unpack_from(data, at)[0]
        return NaN(bits) if bits & magnitude > infinity else value_struct.unpack_from(data, at)[0]

    def write(value):
        return bits_struct.pack(value.bits) if isinstance(value, NaN) else value_struct.pack(value)

    return read, write


def _plain_codec(code):
    packed = struct.Struct(code)
    return (lambda data, at: packed.unpack_from(data, at)[0]), packed.pack


def _wide_codec(signed):
    return (lambda data, at: int.from_bytes(data[at:at + 16], "little", signed=signed)), (lambda value: int(value).to_bytes(16, "little", signed=signed))


def _read_decimal(data, at):
    flags, high, low = struct.unpack_from("<IIQ", data, at)
    digits = tuple(map(int, str(high << 64 | low)))
    return decimal.Decimal((flags >> 31, digits, -(flags >> 16 & 0xFF)))


def _write_decimal(value):
    sign, digits, exponent = decimal.Decimal(value).as_tuple()
    number = int("".join(map(str, digits)))
    if exponent > 0:
        number, exponent = number * 10**exponent, 0
    if number >= 1 << 96 or exponent < -28:
        raise ValueError(f"{value} does not fit into a decimal")
    return struct.pack("<IIQ", sign << 31 | -exponent << 16, number >> 64, number & _MASK)


def _ticks(value):
    return value[0] if isinstance(value, tuple) else int(value)


def _write_date_time(value):
    value = value if isinstance(value, tuple) else DateTime(int(value))
    return struct.pack("<Q", value.ticks | value.kind << 62)


def _read_date_time(data, at):
    stored = struct.unpack_from("<Q", data, at)[0]
    return DateTime(stored & _TICKS_MASK, stored >> 62)


# name: size, alignment, read, write
_SCALARS = {
    "bool": (1, 1, lambda data, at: data[at] != 0, lambda value: b"\1" if value else b"\0"),
    "char": (2, 2, lambda data, at: chr(struct.unpack_from("<H", data, at)[0]), lambda value: struct.pack("<H", ord(value))),
    "u8": (1, 1, *_plain_codec("<B")),
    "i8": (1, 1, *_plain_codec("<b")),
    "u16": (2, 2, *_plain_codec("<H")),
    "i16": (2, 2, *_plain_codec("<h")),
    "u32": (4, 4, *_plain_codec("<I")),
    "i32": (4, 4, *_plain_codec("<i")),
    "u64": (8, 8, *_plain_codec("<Q")),
    "i64": (8, 8, *_plain_codec("<q")),
    "u128": (16, 8, *_wide_codec(False)),
    "i128": (16, 8, *_wide_codec(True)),
    "f16": (2, 2, *_float_codec("<e", "<H", 0x7C00)),
    "f32": (4, 4, *_float_codec("<f", "<I", 0x7F800000)),
    "f64": (8, 8, *_float_codec("<d", "<Q", 0x7FF0000000000000)),
    "decimal": (16, 8, _read_decimal, _write_decimal),
    "guid": (16, 8, lambda data, at: uuid.UUID(bytes_le=bytes(data[at:at + 16])), lambda value: value.bytes_le),
    "datetime": (8, 8, _read_date_time, _write_date_time),
    "datetimeoffset": (
        16, 8, lambda data, at: DateTimeOffset(*struct.unpack_from("<qh", data, at)), lambda value: struct.pack("<qh6x", *value)),
    "timespan": (8, 8, lambda data, at: TimeSpan(*struct.unpack_from("<q", data, at)), lambda value: struct.pack("<q", _ticks(value))),
    "dateonly": (4, 4, lambda data, at: DateOnly(*struct.unpack_from("<i", data, at)), lambda value: struct.pack("<i", _ticks(value))),
    "timeonly": (8, 8, lambda data, at: TimeOnly(*struct.unpack_from("<q", data, at)), lambda value: struct.pack("<q", _ticks(value))),
}
_INTEGERS = ("u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "u128", "i128")
_NOT_KEYS = {"f16", "f32", "f64", "decimal", "datetime", "datetimeoffset", "timeonly"}
_NOT_IN_STRUCTS = {"decimal", "datetime", "datetimeoffset", "dateonly", "timeonly"}


def _is_decimal(data, at):
    flags = struct.unpack_from("<I", data, at)[0]
    return flags & 0x7F00FFFF == 0 and flags >> 16 & 0xFF <= 28


def _is_date_time(data, at):
    stored = struct.unpack_from("<Q", data, at)[0]
    return stored & _TICKS_MASK <= _MAX_TICKS and stored >> 62 <= 2


def _is_local(utc_ticks, minutes):
    return 0 <= utc_ticks <= _MAX_TICKS and 0 <= utc_ticks + minutes * _TICKS_PER_MINUTE <= _MAX_TICKS and -840 <= minutes <= 840


def _is_date_time_offset(data, at):
    utc_ticks, minutes = struct.unpack_from("<qh", data, at)
    return _is_local(utc_ticks, minutes) and data[at + 10:at + 16] == b"\0\0\0\0\0\0"


def _is_date(data, at):
    return 0 <= struct.unpack_from("<i", data, at)[0] <= _MAX_DAYS


def _is_time(data, at):
    return 0 <= struct.unpack_from("<q", data, at)[0] < _TICKS_PER_DAY


# The values that their type may be unable to hold: the check of a verification, the broken rule, the check of every reader.
_CHECKED = {
    "bool": (lambda data, at: data[at] <= 1, Rule.BOOL, lambda data, at: True),
    "decimal": (_is_decimal, Rule.VALUE + "Decimal", _is_decimal),
    "datetime": (_is_date_time, Rule.VALUE + "DateTime", _is_date_time),
    "datetimeoffset": (
        _is_date_time_offset, Rule.VALUE + "DateTimeOffset", lambda data, at: _is_local(*struct.unpack_from("<qh", data, at))),
    "dateonly": (_is_date, Rule.VALUE + "DateOnly", _is_date),
    "timeonly": (_is_time, Rule.VALUE + "TimeOnly", _is_time),
}


# ---------------------------------------------------------------- JSON text

_ESCAPES = {8: "\\b", 9: "\\t", 10: "\\n", 12: "\\f", 13: "\\r", 92: "\\\\"}
_UNESCAPED = {i for i in range(0x20, 0x7F)} - set(map(ord, "\"&'+<>`\\"))


def _json_text(text):
    """A JSON string with the escapes of System.Text.Json: everything outside of ASCII, and the characters that HTML could misread."""
    parts = []
    for unit in text:
        code = ord(unit)
        if code in _UNESCAPED:
            parts.append(unit)
        elif code in _ESCAPES:
            parts.append(_ESCAPES[code])
        elif code < 0x10000:
            parts.append(f"\\u{code:04X}")
        else:
            code -= 0x10000
            parts.append(f"\\u{0xD800 + (code >> 10):04X}\\u{0xDC00 + (code & 0x3FF):04X}")
    return '"' + "".join(parts) + '"'


def _shortest(value, packed):
    # Of the texts of one length only the nearest can be right, except above a power of two, where floats lie wider: there the next one can.
    original = packed.pack(value)
    for precision in range(9):
        nearest = f"{value:.{precision}e}"
        mantissa, _, exponent = nearest.partition("e")
        above = f"{int(mantissa.replace('.', '')) + 1}e{int(exponent) - precision}"
        for text in (nearest, f"{float(above):.{precision}e}"):
            try:
                if packed.pack(float(text)) == original:
                    return text
            except OverflowError:
                continue
    return f"{value:.8e}"


def _float_digits(value, packed):
    """The shortest digits that give the same float again, and the place of the point: 0.digits * 10**point."""
    if packed is None:
        text = repr(value)
        mantissa, _, exponent = text.partition("e")
        whole, _, fraction = mantissa.partition(".")
        point = len(whole) + int(exponent or 0)
        digits = whole + fraction
    else:
        text = _shortest(value, packed)
        mantissa, _, exponent = text.partition("e")
        digits = mantissa.replace(".", "")
        point = int(exponent) + 1
    stripped = digits.lstrip("0")
    return stripped.rstrip("0") or "0", point - (len(digits) - len(stripped)) if stripped else 1


def _json_float(value, packed, general_digits):
    if value != value:
        return '"NaN"'
    if value in (float("inf"), float("-inf")):
        return '"Infinity"' if value > 0 else '"-Infinity"'
    sign = "-" if struct.pack(">d", value)[0] & 0x80 else ""
    digits, point = _float_digits(abs(value), packed)
    if point > general_digits or point < -3:
        fraction = "." + digits[1:] if len(digits) > 1 else ""
        exponent = point - 1
        return f"{sign}{digits[0]}{fraction}E{'-' if exponent < 0 else '+'}{abs(exponent):02}"
    if point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    whole = digits[:point].ljust(point, "0")
    return sign + whole + ("." + digits[point:] if len(digits) > point else "")


_F32 = struct.Struct("<f")


def _json_decimal(value):
    sign, digits, exponent = value.as_tuple()
    digits = "".join(map(str, digits)).rjust(1 - exponent, "0")
    return ("-" if sign and value else "") + (digits[:exponent] + "." + digits[exponent:] if exponent else digits)


def _json_char(value):
    return _json_text("\uFFFD" if 0xD800 <= ord(value) <= 0xDFFF else value)


_JSON = {
    "bool": lambda value: "true" if value else "false",
    "char": _json_char,
    "f16": lambda value: _json_float(value, _F32, 9),
    "f32": lambda value: _json_float(value, _F32, 9),
    "f64": lambda value: _json_float(value, None, 17),
    "decimal": _json_decimal,
    **{name: str for name in _INTEGERS},
    **{name: lambda value: _json_text(str(value)) for name in ("guid", "datetime", "datetimeoffset", "timespan", "dateonly", "timeonly")},
}


# ---------------------------------------------------------------- schemas

class Scalar:
    """A value that the format knows by name; an enum is its underlying integer."""

    def __init__(self, name, in_struct=False):
        self.name = name
        self.size, self.alignment, self.read, self.write = _SCALARS[name]
        if in_struct and name == "guid":
            self.alignment = 4
        elif in_struct and name == "bool":
            # A bool in a struct is not checked: a byte that is neither 0 nor 1 stays as it is.
            self.read = lambda data, at: data[at] == 1 if data[at] <= 1 else data[at]
            self.write = lambda value: bytes([int(value)])
        self.check, self.rule, self.accept = _CHECKED.get(name, (None, None, None))
        self.json = _JSON[name]
        self.zeros = bytes(self.size)

    def decode(self, data, at):
        if self.accept and not self.accept(data, at):
            raise MalformedMessage(self.rule, at)
        return self.read(data, at)

    def verify(self, v, at):
        if self.check and not self.check(v.data, at):
            raise _Broken(self.rule, at)

    @property
    def is_anything(self):
        return self.check is None


class Field(NamedTuple):
    offset: int
    kind: object
    length: Optional[int]


class Struct:
    """A struct: its fields, and the padding between them."""

    def __init__(self, size, alignment, fields):
        self.size, self.alignment, self.fields = size, alignment, fields
        self.zeros = bytes(size)
        self._used = bytearray(size)
        self._padding = None
        for field in fields:
            self._mark(field)

    # Marks the bytes that a field uses. Those of a struct are found once, however often it is repeated: fields that overlap cost no more than others.
    def _mark(self, field):
        count, kind = 1 if field.length is None else field.length, field.kind
        part = slice(field.offset, field.offset + count * kind.size)
        if isinstance(kind, Struct):
            used = int.from_bytes(bytes(kind._used) * count, "little") | int.from_bytes(self._used[part], "little")
            self._used[part] = used.to_bytes(count * kind.size, "little")
        else:
            self._used[part] = b"\1" * (count * kind.size)

    @property
    def padding(self):
        """The places of the padding, as offset and length."""
        if self._padding is None:
            self._padding = []
            start = self._used.find(0)
            while start >= 0:
                end = self._used.find(1, start)
                end = self.size if end < 0 else end
                self._padding.append((start, end - start))
                start = self._used.find(0, end)
        return self._padding

    def decode(self, data, at):
        return tuple(
            field.kind.decode(data, at + field.offset) if field.length is None
            else tuple(field.kind.decode(data, at + field.offset + i * field.kind.size) for i in range(field.length))
            for field in self.fields)

    def write(self, value):
        data = bytearray(self.size)
        for field, part in zip(self.fields, value):
            for i, element in enumerate((part,) if field.length is None else part):
                at = field.offset + i * field.kind.size
                data[at:at + field.kind.size] = field.kind.write(element)
        return bytes(data)

    def json(self, value):
        parts = (
            field.kind.json(part) if field.length is None else "[" + ",".join(map(field.kind.json, part)) + "]"
            for field, part in zip(self.fields, value))
        return "[" + ",".join(parts) + "]"

    def verify(self, v, at):
        for offset, length in self.padding:
            v.zeros(at + offset, length, Rule.PADDING)

    @property
    def is_anything(self):
        return not self.padding


class Nullable(NamedTuple):
    value: object


class Text:
    """A string."""


class Binary:
    """Bytes."""


class Message:
    """A nested message; `type` is its description."""

    def __init__(self, name):
        self.name, self.type = name, None
        self.head = "message " + name


class Union:
    """A union; `type` is its description."""

    def __init__(self, name):
        self.name, self.type = name, None
        self.head = "union " + name


class List(NamedTuple):
    element: object


class Set(NamedTuple):
    key: object


class Dictionary(NamedTuple):
    key: object
    value: object


class Member:
    """A member and its place in the block; the name of a reserved one is None."""

    def __init__(self, name, kind):
        self.name, self.kind = name, kind
        self.offset, self.presence_bit = 0, None

    @property
    def value(self):
        """The kind of a value of fixed size that is in the block itself, or None."""
        kind = self.kind.value if isinstance(self.kind, Nullable) else self.kind
        return kind if isinstance(kind, (Scalar, Struct)) else None


def _align(position, alignment):
    return (position + alignment - 1) & -alignment


class MessageType:
    """A message type: its members, and the size of its block in bytes."""

    def __init__(self, name, line):
        self.name, self.line = name, line
        self.members = []
        self.nesting = 0
        self.block_bytes = WORD_BYTES
        self.remains = []

    def place(self):
        # Free ranges before the end, each shorter than a word. Those of equal length and equal place in their word take the same members, so one heap holds their starts.
        holes, end, nullables, presence = {}, 0, 0, 0

        def free(start, stop):
            if start < stop:
                heapq.heappush(holes.setdefault((start % WORD_BYTES, stop - start), []), start)

        def put(size, alignment):
            nonlocal end
            fitting = [(starts[0], length) for (place, length), starts in holes.items() if starts and _align(place, alignment) + size <= place + length]
            if fitting:
                start, length = min(fitting)
                heapq.heappop(holes[start % WORD_BYTES, length])
                at = _align(start, alignment)
                free(start, at)
                free(at + size, start + length)
                return at
            at = _align(end, alignment)
            free(end, at)
            end = at + size
            return at

        for member in self.members:
            if isinstance(member.kind, Nullable):
                if nullables % 8 == 0:
                    presence = put(1, 1)
                member.presence_bit = presence * 8 + nullables % 8
                nullables += 1
            value = member.value
            member.offset = put(value.size, value.alignment) if value else put(8, 8)
            if _align(end, 8) > MAX_BLOCK_WORDS * WORD_BYTES:
                raise _wrong(self.line, f"the members of the type take more than a block's {MAX_BLOCK_WORDS} words")
        self.block_bytes = max(WORD_BYTES, _align(end, WORD_BYTES))
        self._find_remains()

    # The bytes and bits of the block that no member owns, as (offset, bytes, mask or None).
    def _find_remains(self):
        owned = bytearray(self.block_bytes)
        for member in self.members:
            if member.name is None:
                continue
            size = member.value.size if member.value else 8
            owned[member.offset:member.offset + size] = b"\xff" * size
            if member.presence_bit is not None:
                owned[member.presence_bit >> 3] |= 1 << (member.presence_bit & 7)
        for at, bits in enumerate(owned):
            if bits == 0:
                if self.remains and self.remains[-1][2] is None and self.remains[-1][0] + self.remains[-1][1] == at:
                    self.remains[-1] = (self.remains[-1][0], self.remains[-1][1] + 1, None)
                else:
                    self.remains.append((at, 1, None))
            elif bits != 0xFF:
                self.remains.append((at, 1, 0xFF & ~bits))


class UnionType:
    """A union: its cases by number, as (name, message kind)."""

    def __init__(self, name, line):
        self.name, self.line = name, line
        self.cases = {}
        self.count = 0


def _wrong(line, fault):
    number, text = line
    return SchemaError(f"Line {number} of the schema text, '{text[:100]}', is wrong: {fault}.")


_NAME_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")


class _KindParser:
    def __init__(self, line, text):
        self.line, self.text, self.at, self.nesting = line, text, 0, 0

    def parse(self):
        kind = self.kind()
        if self.at != len(self.text):
            raise self.wrong()
        return kind

    def kind(self):
        name = self.name()
        if name == "string":
            return Text()
        if name == "binary":
            return Binary()
        if name in ("message", "union"):
            self.expect("(")
            return (Message if name == "message" else Union)(self.until_end())
        if name == "list":
            self.expect("(")
            element = self.inner()
            self.expect(")")
            return List(element)
        if name == "set":
            self.expect("(")
            key = self.key()
            self.expect(")")
            return Set(key)
        if name == "dictionary":
            self.expect("(")
            key = self.key()
            self.expect(",")
            value = self.inner()
            self.expect(")")
            return Dictionary(key, value)
        value = self.struct() if name == "struct" else self.scalar(name)
        return Nullable(value) if self.skip("?") else value

    def inner(self):
        self.nest()
        kind = self.kind()
        self.nesting -= 1
        return kind

    def nest(self):
        self.nesting += 1
        if self.nesting > MAX_KIND_NESTING:
            raise self.wrong()

    def key(self):
        name = self.name()
        if name == "string":
            return Text()
        key = self.scalar(name)
        if key.name in _NOT_KEYS:
            raise self.wrong()
        return key

    def struct(self):
        self.expect("(")
        size = self.number()
        packed = self.number() if self.skip("/") else None
        self.expect(";")
        fields = []
        if not self.skip(")"):
            fields.append(self.field())
            while self.skip(","):
                fields.append(self.field())
            self.expect(")")
        alignment = packed if packed is not None else max((field.kind.alignment for field in fields), default=1)
        ends = (field.offset + field.kind.size * (1 if field.length is None else field.length) for field in fields)
        if alignment not in (1, 2, 4, 8) or size == 0 or any(end > size for end in ends):
            raise self.wrong()
        return Struct(size, alignment, fields)

    def field(self):
        offset = self.number()
        self.expect(":")
        name = self.name()
        if name != "struct":
            scalar = self.scalar(name, in_struct=True)
            if scalar.name in _NOT_IN_STRUCTS:
                raise self.wrong()
            return Field(offset, scalar, self.length() if self.skip("[") else None)
        self.nest()
        element = self.struct()
        self.nesting -= 1
        self.expect("[")
        return Field(offset, element, self.length())

    def length(self):
        length = self.number()
        self.expect("]")
        return length

    def scalar(self, name, in_struct=False):
        is_enum = name == "enum"
        if is_enum:
            self.expect("(")
            name = self.name()
        if name not in (_INTEGERS if is_enum else _SCALARS):
            raise self.wrong()
        if is_enum:
            self.expect(")")
        return Scalar(name, in_struct)

    def name(self):
        start = self.at
        while self.at < len(self.text) and self.text[self.at] in _NAME_CHARACTERS:
            self.at += 1
        return self.text[start:self.at]

    def until_end(self):
        end = self.text.find(")", self.at)
        if end <= self.at:
            raise self.wrong()
        name = self.text[self.at:end]
        self.at = end + 1
        return name

    def number(self):
        start = self.at
        while self.at < len(self.text) and self.text[self.at] in "0123456789":
            self.at += 1
        # The text may have more zeros than int() takes.
        digits = self.text[start:self.at].lstrip("0")
        if self.at == start or len(digits) > 5 or int(digits or "0") > 65535:
            raise self.wrong()
        return int(digits or "0")

    def skip(self, expected):
        if self.text[self.at:self.at + 1] != expected:
            return False
        self.at += 1
        return True

    def expect(self, expected):
        if not self.skip(expected):
            raise self.wrong()

    def wrong(self):
        return _wrong(self.line, f"its kind is unknown from character {self.at} of it on, or one of a newer version")


class Schema:
    """A parsed schema text. Make it with Schema.parse."""

    def __init__(self, text, types):
        self.text = text
        self.root = types[0]
        self.name = self.root.name
        self.types = types

    @property
    def fingerprint(self):
        """XXH64 of the text without its notes, the lines that begin with #."""
        return xxh64("\n".join(line for line in self.text.split("\n") if not line.startswith("#")).encode())

    @staticmethod
    def parse(text):
        """Reads the text of one version of a schema, and checks all of it.

        Raises SchemaError if it is not one, or has a line of a newer version.
        """
        if not text.endswith("\n"):
            raise SchemaError("The schema text is empty, or cut off: its last line must end with a line feed.")
        types, references = [], {}
        for number, line_text in enumerate(text[:-1].split("\n"), 1):
            line, words = (number, line_text), line_text.split(" ")
            if len(words) == 2 and words[0] in ("message", "union") and words[1]:
                types.append((MessageType if words[0] == "message" else UnionType)(words[1], line))
                references[types[-1]] = []
            elif not types:
                raise _wrong(line, "the first line must be 'message Name' or 'union Name'")
            elif line_text.startswith("#"):
                continue
            elif not line_text:
                raise _wrong(line, "an empty line ends a version of the schema, and this text must be of one version")
            elif isinstance(types[-1], UnionType):
                Schema._add_case(line, words, types[-1], references[types[-1]])
            else:
                Schema._add_member(line, words, types[-1], references[types[-1]])
        Schema._require_order(types, references)
        for one in types:
            if isinstance(one, MessageType):
                one.place()
        return Schema(text, types)

    @staticmethod
    def parse_stored(text):
        """Reads the newest version of a stored text, in which an empty line is between two versions."""
        return Schema.parse(text.split("\n\n")[-1])

    @staticmethod
    def _require_number(line, word, expected):
        if word != str(expected):
            raise _wrong(line, f"it must begin with the number {expected}, since numbers ascend without gaps, or be the first line of the next type")

    @staticmethod
    def _add_member(line, words, owner, references):
        Schema._require_number(line, words[0], len(owner.members))
        if len(words) == 3 and words[2]:
            name, kind = words[2], _KindParser(line, words[1]).parse()
        elif len(words) == 2 and words[1].startswith("reserved(") and words[1].endswith(")"):
            name, kind = None, _KindParser(line, words[1][len("reserved("):-1]).parse()
        else:
            raise _wrong(line, "a member is a number, a kind and a name, or a number and 'reserved(kind)'")
        owner.members.append(Member(name, kind))
        nesting = 0
        while isinstance(kind, (List, Dictionary)):
            kind = kind.element if isinstance(kind, List) else kind.value
            nesting += 1
        owner.nesting = max(owner.nesting, nesting)
        if isinstance(kind, (Message, Union)):
            references.append(kind)

    @staticmethod
    def _add_case(line, words, owner, references):
        Schema._require_number(line, words[0], owner.count + 1)
        owner.count += 1
        if len(words) == 3 and words[2]:
            kind = _KindParser(line, words[1]).parse()
            if isinstance(kind, Message):
                owner.cases[owner.count] = (words[2], kind)
                references.append(kind)
                return
        elif len(words) == 2 and words[1] == "reserved":
            return
        raise _wrong(line, "a case is a number, a message and a name, or a number and 'reserved'")

    @staticmethod
    def _require_order(types, references):
        heads = [("message " if isinstance(types[0], MessageType) else "union ") + types[0].name]
        found = {}
        for i, one in enumerate(types):
            head = ("message " if isinstance(one, MessageType) else "union ") + one.name
            if i == len(heads):
                raise _wrong(one.line, "no line refers to this type, or it is described already")
            if head != heads[i]:
                raise _wrong(one.line, f"'{heads[i]}' must be here, since types are in the order of their first use")
            found[head] = one
            heads += [reference.head for reference in _unique(references[one]) if reference.head not in heads]
        if len(heads) > len(types):
            raise SchemaError(f"The schema text does not describe '{heads[len(types)]}': that line is missing at its end.")
        for one in types:
            for reference in references[one]:
                reference.type = found[reference.head]


def _unique(references):
    seen = set()
    return [one for one in references if not (one.head in seen or seen.add(one.head))]


def _require_frames(schema):
    # The deepest message has 64 levels, each with a few calls for the member, and for each of the lists that its kind has in each other.
    nesting = max((one.nesting for one in schema.types if isinstance(one, MessageType)), default=0)
    frames = 5000 + MAX_DEPTH * 3 * nesting
    if sys.getrecursionlimit() < frames:
        sys.setrecursionlimit(frames)


# ---------------------------------------------------------------- verification

class _Broken(Exception):
    def __init__(self, rule, position):
        super().__init__(rule)
        self.rule, self.position, self.path = rule, position, ""

    def inside(self, part):
        self.path = part + (self.path if not self.path or self.path[0] == "[" else "." + self.path)
        return self


def _bucket_count(count):
    return 0 if count <= MAX_ENTRIES_WITHOUT_BUCKETS else 1 << (count - 1).bit_length()


def _keys_offset(count):
    buckets = _bucket_count(count)
    return _align(8 + (buckets + 1) * 4, 8) if buckets else 8


def _values_offset(count, alignment):
    return _align((count + 7) >> 3, alignment)


class _Verifier:
    def __init__(self, data, total, root_end, exact):
        self.data, self.total, self.exact = data, total, exact
        self.end, self.slot, self.depth = root_end, 0, 1

    def zeros(self, position, count, rule):
        part = self.data[position:position + count].lstrip(b"\0")
        if part:
            raise _Broken(rule, position + count - len(part))

    def claim(self, position, count, alignment):
        if position < self.end:
            raise _Broken(Rule.ORDER, self.slot)
        if position + count > self.total:
            raise _Broken(Rule.OUTSIDE, self.slot)
        if position & (alignment - 1):
            raise _Broken(Rule.ALIGNMENT, self.slot)
        if self.exact:
            if position != _align(self.end, alignment):
                raise _Broken(Rule.GAP, self.slot)
            self.zeros(self.end, position - self.end, Rule.GAP_BYTES)
        self.end = position + count

    def enter(self):
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise _Broken(Rule.DEPTH, self.slot)

    def block(self, kind, at, size):
        """Verifies a block and the payloads of its members."""
        if self.exact and size != kind.block_bytes:
            raise _Broken(Rule.BLOCK_SIZE, at)
        for member in kind.members:
            if member.name is not None:
                try:
                    self.member(member, at, size)
                except _Broken as broken:
                    raise broken.inside(member.name)
        if self.exact:
            for offset, count, mask in kind.remains:
                if mask is None:
                    self.zeros(at + offset, count, Rule.HOLE)
                elif self.data[at + offset] & mask:
                    raise _Broken(Rule.HOLE, at + offset)

    def member(self, member, at, size):
        value = member.value
        if value is None:
            self.payload(member.kind, at, size, member.offset)
        elif member.offset + value.size > size:
            return
        elif member.presence_bit is None:
            value.verify(self, at + member.offset)
        elif (member.presence_bit >> 3) + 1 <= size:
            self.nullable(value, at + member.offset, self.is_set(at, member.presence_bit))

    def is_set(self, bitmap, bit):
        return self.data[bitmap + (bit >> 3)] & (1 << (bit & 7)) != 0

    def nullable(self, value, at, is_present):
        if is_present:
            value.verify(self, at)
        else:
            self.zeros(at, value.size, Rule.ABSENT)

    def payload(self, kind, at, size, offset):
        """Verifies a slot of a container, and its payload."""
        if offset + 8 > size:
            return
        slot = int.from_bytes(self.data[at + offset:at + offset + 8], "little")
        if slot == 0:
            return
        if isinstance(kind, (Text, Binary)):
            self.bytes(at, offset, slot, isinstance(kind, Text))
            return
        if isinstance(kind, (Message, Union)):
            self.slot = at + offset
            self.nested(kind, at + (slot >> 32), slot & 0xFFFFFFFF)
            return
        if slot == EMPTY_SLOT:
            return
        self.slot = at + offset
        count = slot & 0xFFFFFFFF
        if count == 0:
            raise _Broken(Rule.EMPTY_LIST, self.slot)
        if isinstance(kind, List):
            self.elements(kind.element, at + (slot >> 32), count)
        else:
            self.table(kind, at + (slot >> 32), count)

    def bytes(self, at, offset, slot, is_text):
        """Verifies a string or binary, and gives its bytes."""
        if slot >> 63:
            length = slot >> 56 & 0x7F
            if length > MAX_INLINE_BYTES:
                raise _Broken(Rule.INLINE_LENGTH, at + offset)
            if (slot & (1 << 56) - 1) >> (8 * length):
                raise _Broken(Rule.INLINE_BYTES, at + offset)
            position = at + offset
        else:
            self.slot = at + offset
            position, length = at + (slot >> 32), slot & 0xFFFFFFFF
            if length <= MAX_INLINE_BYTES:
                raise _Broken(Rule.NOT_INLINE, self.slot)
            self.claim(position, length, 1)
        content = self.data[position:position + length]
        if is_text:
            try:
                content.decode("utf-8")
            except UnicodeDecodeError:
                raise _Broken(Rule.TEXT, position) from None
        return content

    def nested(self, kind, position, length):
        words, number = length, 0
        if isinstance(kind, Union):
            words, number = length & 0xFFFF, length >> 16
            if number == 0:
                raise _Broken(Rule.CASE, self.slot)
        if not 1 <= words <= MAX_BLOCK_WORDS:
            raise _Broken(Rule.NESTED_SLOT, self.slot)
        self.claim(position, words * 8, 8)
        self.enter()
        if isinstance(kind, Message):
            self.block(kind.type, position, words * 8)
        elif number in kind.type.cases:
            self.block(kind.type.cases[number][1].type, position, words * 8)
        elif self.exact:
            raise _Broken(Rule.UNKNOWN_CASE, self.slot)
        self.depth -= 1

    def elements(self, kind, position, count):
        if isinstance(kind, (Scalar, Struct)):
            self.claim(position, count * kind.size, kind.alignment)
            if not kind.is_anything:
                self.each(count, lambda i: kind.verify(self, position + i * kind.size))
        elif isinstance(kind, Nullable):
            value = kind.value
            offset = _values_offset(count, value.alignment)
            self.claim(position, offset + count * value.size, 8)
            self.bitmap_end(position, count, offset)
            self.each(count, lambda i: self.nullable(value, position + offset + i * value.size, self.is_set(position, i)))
        elif isinstance(kind, Message):
            self.messages(kind.type, position, count)
        else:
            self.claim(position, count * 8, 8)
            self.slots(kind, position, count)

    # As with `each`, but with two calls less for each list in a list.
    def slots(self, kind, position, count):
        i = 0
        try:
            for i in range(count):
                self.payload(kind, position, count * 8, i * 8)
        except _Broken as broken:
            raise broken.inside(f"[{i}]")

    @staticmethod
    def each(count, verify):
        i = 0
        try:
            for i in range(count):
                verify(i)
        except _Broken as broken:
            raise broken.inside(f"[{i}]")

    def bitmap_end(self, position, count, size):
        full, rest = count >> 3, (count + 7) >> 3
        if rest != full and self.data[position + full] >> (count & 7):
            raise _Broken(Rule.BITMAP_END, position + full)
        self.zeros(position + rest, size - rest, Rule.BITMAP_END)

    def messages(self, kind, position, count):
        if position + 8 > self.total:
            raise _Broken(Rule.OUTSIDE, self.slot)
        header = int.from_bytes(self.data[position:position + 8], "little")
        size, flags = (header & 0xFFFF) * 8, header >> 16
        if size == 0 or flags > 1:
            raise _Broken(Rule.MESSAGE_LIST_HEADER, position)
        bitmap, bitmap_bytes = position + 8, _values_offset(count, 8) if flags else 0
        first = bitmap + bitmap_bytes
        self.claim(position, 8 + bitmap_bytes + count * size, 8)
        if flags:
            self.bitmap_end(bitmap, count, bitmap_bytes)
            if all(self.is_set(bitmap, i) for i in range(count)):
                raise _Broken(Rule.NEEDLESS_BITMAP, bitmap)
        self.enter()

        def verify(i):
            if not flags or self.is_set(bitmap, i):
                self.block(kind, first + i * size, size)
            else:
                self.zeros(first + i * size, size, Rule.ABSENT_MESSAGE)

        self.each(count, verify)
        self.depth -= 1

    def table(self, kind, position, count):
        key_bytes = 8 if isinstance(kind.key, Text) else kind.key.size
        self.claim(position, _keys_offset(count) + count * key_bytes, 8)
        header = int.from_bytes(self.data[position:position + 8], "little")
        if isinstance(kind, Set):
            if header:
                raise _Broken(Rule.SET_HEADER, position)
            self.keys(kind.key, position, count, key_bytes)
            return
        try:
            self.keys(kind.key, position, count, key_bytes)
        except _Broken as broken:
            raise broken.inside("Keys")
        self.slot = position
        if header >> 32:
            raise _Broken(Rule.DICTIONARY_HEADER, position)
        self.claim(position + header, 0, 8)
        try:
            self.elements(kind.value, position + header, count)
        except _Broken as broken:
            raise broken.inside("Values")

    def keys(self, kind, table, count, key_bytes):
        start = table + _keys_offset(count)
        buckets = _bucket_count(count)
        previous, bucket = b"", -1

        def verify(i):
            nonlocal previous, bucket
            key = self.key(kind, start, count * key_bytes, i * key_bytes)
            following = xxh64(key) & (buckets - 1) if buckets else 0
            if following < bucket:
                raise _Broken(Rule.BUCKETS, start + i * key_bytes)
            if following == bucket:
                if previous >= key:
                    raise _Broken(Rule.EQUAL_KEYS if previous == key else Rule.KEY_ORDER, start + i * key_bytes)
            elif buckets:
                self.starts(table + 8, bucket + 1, following, i)
            previous, bucket = key, following

        self.each(count, verify)
        if buckets:
            self.starts(table + 8, bucket + 1, buckets, count)
            end = table + 8 + (buckets + 1) * 4
            self.zeros(end, start - end, Rule.BUCKETS_END)

    def starts(self, starts, first, last, key):
        for bucket in range(first, last + 1):
            at = starts + bucket * 4
            if int.from_bytes(self.data[at:at + 4], "little") != key:
                raise _Broken(Rule.BUCKETS, at)

    def key(self, kind, start, size, offset):
        if isinstance(kind, Text):
            slot = int.from_bytes(self.data[start + offset:start + offset + 8], "little")
            if slot == 0:
                raise _Broken(Rule.NULL_KEY, start + offset)
            return self.bytes(start, offset, slot, True)
        kind.verify(self, start + offset)
        return self.data[start + offset:start + offset + kind.size]


def _open(data):
    """The total size of a message and the size of its root block, or the rule that its header breaks."""
    if len(data) < HEADER_BYTES + WORD_BYTES:
        return Rule.TOO_SHORT, 0, 0
    words, version, total = struct.unpack_from("<HHI", data)
    if version != 1:
        return Rule.HEADER, 0, 0
    if total % 8 or total > len(data):
        return Rule.TOTAL_BYTES, 0, 0
    if words == 0 or total < HEADER_BYTES + words * 8:
        return Rule.ROOT_BLOCK, 0, 0
    return None, total, words * 8


def verify(data, schema, exact=False):
    """Checks a whole message. Gives None if it is valid, else the Error: the first rule that is broken, and where.

    `exact` demands also that the bytes that no member owns are as a writer of the same schema leaves them. Bytes after the message are ignored.
    """
    _require_frames(schema)
    data = bytes(data)
    rule, total, block_bytes = _open(data)
    if rule:
        return Error(rule, 0, "")
    v = _Verifier(data[:total], total, HEADER_BYTES + block_bytes, exact)
    try:
        if isinstance(schema.root, MessageType):
            v.block(schema.root, HEADER_BYTES, block_bytes)
        else:
            if exact and block_bytes != 8:
                raise _Broken(Rule.BLOCK_SIZE, HEADER_BYTES)
            if data[8:16] == bytes(8):
                raise _Broken(Rule.NULL_ROOT, HEADER_BYTES)
            v.payload(_reference(schema.root), HEADER_BYTES, block_bytes, 0)
        if exact:
            if total != _align(v.end, 8):
                raise _Broken(Rule.TAIL, v.end)
            v.zeros(v.end, total - v.end, Rule.TAIL)
    except _Broken as broken:
        return Error(broken.rule, broken.position, broken.path)
    return None


def _reference(kind):
    reference = Union(kind.name)
    reference.type = kind
    return reference


# ---------------------------------------------------------------- reading

class _Entries(list):
    """The entries of a dictionary in their stored order, as pairs."""


class _Object(NamedTuple):
    """A message: its type, the values of its members in their order, and its case if it is one of a union. The type of an unknown case is None."""

    type: object
    values: list
    case: object


class _Decoder:
    """A walk over a message, forward only, so that it is linear in the message's size whatever the bytes are."""

    def __init__(self, data):
        self.data, self.end, self.limit, self.depth = data, 0, len(data), 0

    def claim(self, position, count):
        if position < self.end:
            raise MalformedMessage(Rule.ORDER, self.end)
        if position + count > self.limit:
            raise MalformedMessage(Rule.OUTSIDE, self.end)
        self.end = position + count
        return position

    def message(self, kind, at, size, case=None):
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise MalformedMessage(Rule.DEPTH, at)
        values = [self.member(member, at, size) for member in kind.members if member.name is not None]
        self.depth -= 1
        return _Object(kind, values, case)

    def member(self, member, at, size):
        value = member.value
        if value is None:
            return self.slot(member.kind, at, size, member.offset)
        is_there = member.offset + value.size <= size
        if member.presence_bit is None:
            return value.decode(self.data, at + member.offset) if is_there else value.decode(value.zeros, 0)
        if not is_there or (member.presence_bit >> 3) + 1 > size or not self.is_set(at, member.presence_bit):
            return None
        return value.decode(self.data, at + member.offset)

    def is_set(self, bitmap, bit):
        return self.data[bitmap + (bit >> 3)] & (1 << (bit & 7)) != 0

    def word(self, at):
        return int.from_bytes(self.data[at:at + 8], "little")

    def slot(self, kind, at, size, offset):
        slot = self.word(at + offset) if offset + 8 <= size else 0
        if slot == 0:
            return None
        payload, length = at + (slot >> 32), slot & 0xFFFFFFFF
        if isinstance(kind, (Text, Binary)):
            content = self.bytes(at + offset, slot, payload, length)
            return content.decode("utf-8", "replace") if isinstance(kind, Text) else content
        if isinstance(kind, Message):
            return self.message(kind.type, *self.nested(payload, length))
        if isinstance(kind, Union):
            number = length >> 16
            if number == 0:
                raise MalformedMessage(Rule.CASE, self.end)
            block = self.nested(payload, length & 0xFFFF)
            if number not in kind.type.cases:
                return _Object(None, [], number)
            name, case = kind.type.cases[number]
            return self.message(case.type, *block, case=name)
        if slot == EMPTY_SLOT:
            length = 0
        elif length == 0:
            self.claim(payload, 0)
        if isinstance(kind, List):
            return self.elements(kind.element, payload, length) if length else []
        return self.table(kind, payload, length) if length else _Entries() if isinstance(kind, Dictionary) else []

    def bytes(self, at, slot, payload, length):
        if slot >> 63 == 0:
            position = self.claim(payload, length)
            return self.data[position:position + length]
        length = slot >> 56 & 0x7F
        if length > MAX_INLINE_BYTES:
            raise MalformedMessage(Rule.INLINE_LENGTH, at)
        return self.data[at:at + length]

    def nested(self, payload, words):
        if not 1 <= words <= MAX_BLOCK_WORDS:
            raise MalformedMessage(Rule.NESTED_SLOT, self.end)
        return self.claim(payload, words * 8), words * 8

    def elements(self, kind, payload, count):
        if isinstance(kind, (Scalar, Struct)):
            at = self.claim(payload, count * kind.size)
            return [kind.decode(self.data, at + i * kind.size) for i in range(count)]
        if isinstance(kind, Nullable):
            value = kind.value
            offset = _values_offset(count, value.alignment)
            at = self.claim(payload, offset + count * value.size)
            return [value.decode(self.data, at + offset + i * value.size) if self.is_set(at, i) else None for i in range(count)]
        if isinstance(kind, Message):
            return self.messages(kind.type, payload, count)
        at = self.claim(payload, count * 8)
        # A comprehension would be one more call for each list in a list.
        result = []
        for i in range(count):
            result.append(self.slot(kind, at, count * 8, i * 8))
        return result

    def messages(self, kind, payload, count):
        header = self.word(self.claim(payload, 8))
        size, flags = (header & 0xFFFF) * 8, header >> 16
        if size == 0 or flags > 1:
            raise MalformedMessage(Rule.MESSAGE_LIST_HEADER, payload)
        bitmap = self.claim(self.end, _values_offset(count, 8) if flags else 0)
        at = self.claim(self.end, count * size)
        return [
            self.message(kind, at + i * size, size) if not flags or self.is_set(bitmap, i) else None
            for i in range(count)]

    def table(self, kind, payload, count):
        header = self.word(self.claim(payload, _keys_offset(count)))
        if header > MAX_MESSAGE_BYTES:
            raise MalformedMessage(Rule.DICTIONARY_HEADER, payload)
        if isinstance(kind, Set):
            if header:
                raise MalformedMessage(Rule.SET_HEADER, payload)
            return self.elements(kind.key, self.end, count)
        key_bytes = 8 if isinstance(kind.key, Text) else kind.key.size
        at = self.claim(self.end, count * key_bytes)
        keys_end, self.limit = self.end, min(payload + header, len(self.data))
        keys = [self.key(kind.key, at, count * key_bytes, i * key_bytes) for i in range(count)]
        self.end, self.limit = keys_end, len(self.data)
        return _Entries(zip(keys, self.elements(kind.value, min(payload + header, len(self.data)), count)))

    def key(self, kind, at, size, offset):
        if not isinstance(kind, Text):
            return kind.decode(self.data, at + offset)
        key = self.slot(kind, at, size, offset)
        if key is None:
            raise MalformedMessage(Rule.NULL_KEY, at + offset)
        return key


def _read(data, schema):
    _require_frames(schema)
    data = bytes(data)
    rule, total, block_bytes = _open(data)
    if rule:
        raise MalformedMessage(rule)
    decoder = _Decoder(data[:total])
    at = decoder.claim(HEADER_BYTES, block_bytes)
    if isinstance(schema.root, MessageType):
        return decoder.message(schema.root, at, block_bytes)
    decoder.depth = 1
    return decoder.slot(_reference(schema.root), at, block_bytes, 0)


def _names(kind):
    return (member.name for member in kind.members if member.name is not None)


def _plain(value):
    if isinstance(value, _Entries):
        return {key: _plain(one) for key, one in value}
    if isinstance(value, _Object):
        result = {} if value.case is None else {"$type": value.case}
        if value.type is not None:
            for name, one in zip(_names(value.type), value.values):
                result[name] = _plain(one)
        return result
    return [_plain(one) for one in value] if isinstance(value, list) else value


def decode(data, schema):
    """Reads a message: dictionaries by member name, lists, and the values of the classes above.

    A case of a union has its name as "$type"; of one that the schema does not have there is only its number. Members that the writer did not
    know are zero or None. Raises MalformedMessage.
    """
    return _plain(_read(data, schema))


# ---------------------------------------------------------------- JSON

def _json_key(kind, key):
    if isinstance(kind, Text):
        return _json_text(key)
    text = kind.json(key)
    return text if text[0] == '"' else '"' + text + '"'


def _json(kind, value):
    if value is None:
        return "null"
    if isinstance(kind, (Scalar, Struct)):
        return kind.json(value)
    if isinstance(kind, Nullable):
        return kind.value.json(value)
    if isinstance(kind, Text):
        return _json_text(value)
    if isinstance(kind, Binary):
        return '"' + base64.b64encode(value).decode() + '"'
    if isinstance(kind, Dictionary):
        return "{" + ",".join([_json_key(kind.key, key) + ":" + _json(kind.value, one) for key, one in value]) + "}"
    if isinstance(kind, (List, Set)):
        element = kind.element if isinstance(kind, List) else kind.key
        return "[" + ",".join([_json(element, one) for one in value]) + "]"
    return _json_object(value)


def _json_object(value):
    if value.type is None:
        return f'{{"$type":{value.case}}}'
    parts = [] if value.case is None else ['"$type":' + _json_text(value.case)]
    members = (member for member in value.type.members if member.name is not None)
    parts += [_json_text(member.name) + ":" + _json(member.kind, one) for member, one in zip(members, value.values)]
    return "{" + ",".join(parts) + "}"


def to_json(data, schema):
    """The JSON of a message, as BufferedMessage.WriteJson of .NET writes it without indentation. Raises MalformedMessage."""
    value = _read(data, schema)
    return "null" if value is None else _json_object(value)


# ---------------------------------------------------------------- writing

class _Encoder:
    def __init__(self):
        self.data = bytearray(HEADER_BYTES)

    def claim(self, count, alignment=8):
        at = _align(len(self.data), alignment)
        self.data.extend(bytes(at - len(self.data) + count))
        return at

    def put(self, at, content):
        self.data[at:at + len(content)] = content

    def point(self, container, offset, position, length):
        self.put(container + offset, struct.pack("<Q", position - container << 32 | length))

    def members(self, kind, at, value, depth):
        if depth > MAX_DEPTH:
            raise ValueError(Rule.DEPTH)
        for member in kind.members:
            if member.name is None:
                continue
            one = value.get(member.name)
            fixed = member.value
            if fixed is None:
                self.slot(member.kind, at, member.offset, one, depth)
            elif one is not None:
                self.put(at + member.offset, fixed.write(one))
                if member.presence_bit is not None:
                    self.data[at + (member.presence_bit >> 3)] |= 1 << (member.presence_bit & 7)

    def slot(self, kind, container, offset, value, depth):
        if value is None:
            return
        if isinstance(kind, (Text, Binary)):
            self.bytes(container, offset, value.encode("utf-8") if isinstance(kind, Text) else bytes(value))
        elif isinstance(kind, Message):
            self.nested(kind.type, 0, container, offset, value, depth)
        elif isinstance(kind, Union):
            number, case = next(
                ((number, one.type) for number, (name, one) in kind.type.cases.items() if name == value["$type"]), (0, None))
            if case is None:
                raise ValueError(f"The union {kind.name} has no case {value['$type']}.")
            self.nested(case, number, container, offset, value, depth)
        elif len(value) == 0:
            self.put(container + offset, struct.pack("<Q", EMPTY_SLOT))
        elif isinstance(kind, List):
            self.point(container, offset, self.elements(kind.element, value, depth), len(value))
        else:
            self.table(kind, container, offset, value, depth)

    def bytes(self, container, offset, content):
        if len(content) <= MAX_INLINE_BYTES:
            self.put(container + offset, content.ljust(7, b"\0") + bytes([0x80 + len(content)]))
        else:
            position = self.claim(len(content), 1)
            self.put(position, content)
            self.point(container, offset, position, len(content))

    def nested(self, kind, number, container, offset, value, depth):
        at = self.claim(kind.block_bytes)
        self.point(container, offset, at, number << 16 | kind.block_bytes // 8)
        self.members(kind, at, value, depth + 1)

    def elements(self, kind, values, depth):
        """Appends the payload of a list, and gives its position."""
        count = len(values)
        if isinstance(kind, (Scalar, Struct)):
            at = self.claim(count * kind.size, kind.alignment)
            self.put(at, b"".join(map(kind.write, values)))
            return at
        if isinstance(kind, Nullable):
            value = kind.value
            offset = _values_offset(count, value.alignment)
            at = self.claim(offset + count * value.size)
            self.bitmap(at, values)
            self.put(at + offset, b"".join(value.zeros if one is None else value.write(one) for one in values))
            return at
        if isinstance(kind, Message):
            return self.messages(kind.type, values, depth)
        at = self.claim(count * 8)
        for i, one in enumerate(values):
            self.slot(kind, at, i * 8, one, depth)
        return at

    def bitmap(self, at, values):
        for i, one in enumerate(values):
            if one is not None:
                self.data[at + (i >> 3)] |= 1 << (i & 7)

    def messages(self, kind, values, depth):
        has_null = any(one is None for one in values)
        offset = 8 + (_values_offset(len(values), 8) if has_null else 0)
        at = self.claim(offset + len(values) * kind.block_bytes)
        self.put(at, struct.pack("<HH", kind.block_bytes // 8, has_null))
        if has_null:
            self.bitmap(at + 8, values)
        for i, one in enumerate(values):
            if one is not None:
                self.members(kind, at + offset + i * kind.block_bytes, one, depth + 1)
        return at

    def table(self, kind, container, offset, value, depth):
        buckets = _bucket_count(len(value))
        entries = []
        for one in value:
            key = one.encode("utf-8") if isinstance(kind.key, Text) else kind.key.write(one)
            entries.append((xxh64(key) & (buckets - 1) if buckets else 0, key, one))
        entries.sort(key=lambda entry: entry[:2])
        if any(one[1] == two[1] for one, two in zip(entries, entries[1:])):
            raise ValueError(Rule.EQUAL_KEYS)
        table = self.claim(_keys_offset(len(value)))
        if buckets:
            starts, at = [], 0
            for bucket in range(buckets + 1):
                while at < len(entries) and entries[at][0] < bucket:
                    at += 1
                starts.append(at)
            self.put(table + 8, struct.pack(f"<{buckets + 1}I", *starts))
        if isinstance(kind.key, Text):
            slots = self.claim(len(entries) * 8)
            for i, (_, key, _) in enumerate(entries):
                self.bytes(slots, i * 8, key)
        else:
            keys = self.claim(len(entries) * kind.key.size, 1)
            self.put(keys, b"".join(key for _, key, _ in entries))
        self.point(container, offset, table, len(entries))
        if isinstance(kind, Dictionary):
            self.claim(0)
            values = self.elements(kind.value, [value[one] for _, _, one in entries], depth)
            self.put(table, struct.pack("<I", values - table))


def encode(value, schema):
    """Writes a message of the values that `decode` gives. The bytes are those that .NET writes for the same values.

    Members that are missing are zero or null. Raises ValueError, struct.error or another error of a value that does not fit its kind.
    """
    _require_frames(schema)
    encoder = _Encoder()
    if isinstance(schema.root, MessageType):
        block_bytes = schema.root.block_bytes
        encoder.members(schema.root, encoder.claim(block_bytes), value, 1)
    else:
        block_bytes = 8
        encoder.slot(_reference(schema.root), encoder.claim(8), 0, value, 1)
    encoder.claim(0)
    if len(encoder.data) > MAX_MESSAGE_BYTES:
        raise ValueError("The message would take more than 2,147,483,647 bytes.")
    encoder.put(0, struct.pack("<HHI", block_bytes // 8, 1, len(encoder.data)))
    return bytes(encoder.data)


# ---------------------------------------------------------------- queues

_CONTROL_BYTES = 462_336
_SCHEMA_OFFSET = 200_192
_SCHEMA_BYTES = 262_144
_RING_SLOTS_OFFSET = 167_424
_RING_SLOT_BYTES = 128
_PARTICIPANT_SLOTS = 256
_CURSORS_OFFSET = 102_400
_CURSOR_BYTES = 256
_CURSOR_COUNT = 254
_SEGMENT_HEADER_BYTES = 128
_RECORD_HEADER_BYTES = 16
_CHECKSUMS = 1
_HAS_PROPERTIES = 1 << 16
_IS_CONTINUED = 1 << 17
_CONTENTS = ("undecided", "raw", "messages", "values")
_UPDATE = "a newer program made it; update this reader"


class Record(NamedTuple):
    """A record of a queue: its position for ever, its payload, its properties by name, and whether it has any, perhaps only of kinds that this reader does not know."""

    position: int
    epoch: int
    payload: bytes
    properties: dict
    has_properties: bool = False


def _ticks_text(ticks):
    return _date_time(ticks) + "Z" if 0 <= ticks <= _MAX_TICKS else None


# The entries of the properties in the part of a record after its payload. Raises QueueError if their block is damaged.
def _property_entries(block, position):
    length, checksum = struct.unpack_from("<II", block, len(block) - 8) if len(block) >= 8 else (0, 0)
    if length < 8 or length % 8 or length > len(block):
        raise QueueError(f"The record at {position} has properties of an impossible length.")
    block = block[len(block) - length:]
    if crc32c(struct.pack("<q", position) + block[:-4]) != checksum:
        raise QueueError(f"The properties of the record at {position} are damaged: their checksum differs.")
    return block[:-8]


def parse_properties(block, position):
    """The properties of a record: `block` is its part after the payload, up to the record's end. Raises QueueError if they are damaged."""
    block = _property_entries(block, position)
    result, at, end, last = {}, 0, len(block), 0
    while at + 4 <= end:
        kind, size = struct.unpack_from("<HH", block, at)
        if kind == 0:
            break
        if kind < last or (kind == last and kind < 8) or at + 4 + size > end:
            raise QueueError(f"The properties of the record at {position} are damaged: an entry is not in its place.")
        _add_property(result, kind, block[at + 4:at + 4 + size], position)
        last, at = kind, at + 4 + _align(size, 4)
    if any(block[at:end]):
        raise QueueError(f"The properties of the record at {position} are damaged: bytes after the last entry are not zero.")
    return result


def _add_property(result, kind, data, position):
    try:
        if kind == 1:
            result["time"] = struct.unpack("<q", data)[0]
        elif kind == 2:
            if len(data) < 25:
                raise ValueError
            result["trace"] = f"00-{data[:16].hex()}-{data[16:24].hex()}-{data[24]:02x}"
            if len(data) > 25:
                result["traceState"] = data[25:].decode("utf-8", "replace")
        elif kind == 3:
            epoch, source = struct.unpack("<Qq", data[16:])
            result["source"] = (uuid.UUID(bytes_le=data[:16]), epoch, source)
        elif kind in (4, 5, 7):
            result[{4: "correlation", 5: "replyTo", 7: "reason"}[kind]] = data.decode("utf-8", "replace")
        elif kind == 6:
            result["attempts"] = struct.unpack("<I", data)[0]
        elif kind == 8:
            length = struct.unpack_from("<H", data)[0]
            if 2 + length > len(data):
                raise ValueError
            result.setdefault("headers", {})[data[2:2 + length].decode("utf-8", "replace")] = data[2 + length:].decode("utf-8", "replace")
    except (ValueError, struct.error):
        raise QueueError(f"The properties of the record at {position} are damaged: an entry of kind {kind} is not as it must be.") from None


# Windows has no such pipes.
_NO_WAIT = getattr(os, "O_NONBLOCK", 0)


class _Mapping:
    """A file that is mapped read-only, and its words of 8 bytes."""

    def __init__(self, path):
        # Without a wait for the writer of a pipe.
        descriptor = os.open(path, os.O_RDONLY | _NO_WAIT)
        try:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise OSError(errno.EINVAL, "it is not a file", path)
            self.size = status.st_size
            self.map = mmap.mmap(descriptor, self.size, access=mmap.ACCESS_READ) if self.size else None
        finally:
            os.close(descriptor)
        self.data = memoryview(self.map) if self.map else memoryview(b"")
        self.words = self.data[:self.size & ~7].cast("Q")
        self.signed = self.data[:self.size & ~7].cast("q")

    def word(self, at):
        return self.words[at >> 3]

    def close(self):
        for view in (self.words, self.signed, self.data):
            view.release()
        if self.map is not None:
            self.map.close()


class Queue:
    """The directory of a queue, durable or bounded, read without a seat. A context manager; not for use by several threads at once."""

    def __init__(self, directory):
        self.directory = os.fspath(directory)
        try:
            self._control = _Mapping(os.path.join(self.directory, "control"))
        except OSError as error:
            raise QueueError(f"'{self.directory}' is not a queue: {error.strerror}.") from None
        self._segment, self._number = None, -1
        self._ring = None
        data = self._control.data
        if self._control.size < 8 or bytes(data[:4]) != b"BMQ1":
            raise QueueError(f"'{self.directory}' is not a queue: its control file does not begin with BMQ1.")
        version = struct.unpack_from("<I", data, 4)[0]
        if version != 2:
            raise QueueError(f"The queue in '{self.directory}' is of version {version}, this reader knows version 2: update this reader.")
        if self._control.size < _CONTROL_BYTES:
            raise QueueError(f"The control file of '{self.directory}' is cut off.")
        mode, producers, self.segment_bytes, self.slots, required = struct.unpack_from("<IIqII", data, 8)
        if required & ~_CHECKSUMS:
            raise QueueError(f"The queue in '{self.directory}' has required features {required:#x}: {_UPDATE}.")
        content = struct.unpack_from("<I", data, 64)[0]
        if content >= len(_CONTENTS):
            raise QueueError(f"The queue in '{self.directory}' has a content of the kind {content}: {_UPDATE}.")
        self.is_durable = mode == 1
        if mode not in (1, 2) or not 1 << 16 <= self.segment_bytes <= 1 << 30 or self.segment_bytes & (self.segment_bytes - 1) \
                or (mode == 2 and not 2 <= self.slots <= 256):
            raise QueueError(f"The control file of '{self.directory}' is damaged.")
        self.producers = "single" if producers == 1 else "multiple"
        self.has_checksums = required & _CHECKSUMS != 0
        self.salt, self.created = struct.unpack_from("<Qq", data, 32)
        self.id = uuid.UUID(bytes_le=bytes(data[1552:1568]))
        if not self.is_durable:
            try:
                self._ring = _Mapping(os.path.join(self.directory, "ring"))
            except OSError as error:
                raise QueueError(f"The ring of '{self.directory}' cannot be read: {error.strerror}.") from None
            if self._ring.size < self.slots * self.segment_bytes:
                raise QueueError(f"The ring of '{self.directory}' is cut off.")
        self._has_crashed = self.is_durable and self._boot_id_differs()
        self._whole_end = 0  # after a crash: of the record or batch that was found whole

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Unmaps the files."""
        for mapping in (self._segment, self._ring, self._control):
            if mapping:
                mapping.close()
        self._segment = self._ring = None

    def _boot_id_differs(self):
        stored = bytes(self._control.data[1408:1424])
        try:
            with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
                return uuid.UUID(file.read().strip()).bytes_le != stored
        except OSError:
            return False

    @property
    def epoch(self):
        return self._control.word(1536)

    def epoch_of(self, position):
        """The epoch of the message at a position: the largest one whose start is not after it."""
        newest = self.epoch
        for epoch in range(newest, max(newest - 64, 0), -1):
            if self._control.signed[(2048 + epoch % 64 * 8) >> 3] <= position:
                return epoch
        return max(newest - 63, 1)

    @property
    def first_segment(self):
        """The number of the oldest segment that still exists; None in a bounded queue without segments."""
        if self.is_durable:
            return self._control.signed[1024 >> 3]
        open_now = [number for number in map(self._open_in_slot, range(self.slots)) if number is not None]
        return min(open_now, default=None)

    def _ring_state(self, slot):
        return self._control.word(_RING_SLOTS_OFFSET + slot * _RING_SLOT_BYTES)

    def _open_in_slot(self, slot):
        state = self._ring_state(slot)
        if not state or state % 2:
            return None
        number = state // 2 - 1
        if number % self.slots != slot:
            raise QueueError(f"The control file of '{self.directory}' is damaged: slot {slot} of the ring cannot hold segment {number}.")
        return number

    def _is_open(self, number):
        if self.is_durable:
            return number < self._control.signed[384 >> 3]
        return self._ring_state(number % self.slots) == 2 * number + 2

    @property
    def content(self):
        """The kind of the records: undecided, raw, messages or values."""
        content = struct.unpack_from("<I", self._control.data, 64)[0]
        return _CONTENTS[content] if content < len(_CONTENTS) else "unknown"

    @property
    def schema_text(self):
        """The stored schema text, all versions."""
        size = self._schema_bytes()
        return bytes(self._control.data[_SCHEMA_OFFSET:_SCHEMA_OFFSET + size]).decode("utf-8", "replace")

    def _schema_bytes(self):
        return min(struct.unpack_from("<I", self._control.data, 68)[0], _SCHEMA_BYTES)

    @property
    def consumers(self):
        """The named consumers, as (name, kind, position)."""
        found = []
        for i in range(_CURSOR_COUNT):
            at = _CURSORS_OFFSET + i * _CURSOR_BYTES
            kind, _, size = struct.unpack_from("<IiI", self._control.data, at)
            if kind in (1, 2) and size <= 116:
                name = bytes(self._control.data[at + 12:at + 12 + size]).decode("utf-8", "replace")
                found.append((name, "exclusive" if kind == 1 else "group", self._control.signed[(at + 128) >> 3]))
        return found

    def info(self):
        """The content of the control file, as a dictionary of plain values."""
        return {
            "id": str(self.id),
            "epoch": self.epoch,
            "mode": "durable" if self.is_durable else "bounded",
            "producers": self.producers,
            "segmentBytes": self.segment_bytes,
            "slots": self.slots,
            "checksums": self.has_checksums,
            "created": _ticks_text(self.created),
            "content": self.content,
            "firstSegment": self.first_segment,
            "openSegments": self._control.signed[384 >> 3] if self.is_durable else sum(self._open_in_slot(i) is not None for i in range(self.slots)),
            "consumers": [{"name": name, "kind": kind, "position": position} for name, kind, position in self.consumers],
            "schema": self.schema_text,
        }

    def read(self, start=None) -> Iterator[Record]:
        """Gives the records from a position on, or from the oldest one, up to the end for now.

        `self.position` is where the next call may go on. Records that retention deletes or a producer overwrites before they are read are
        skipped: the position says so. Raises QueueError for damaged files.
        """
        # A position is a multiple of 16: the one below another number, as in C.
        self.position, self._whole_end = max(start or 0, 0) & ~15, 0
        while True:
            record = self._next()
            if record is None:
                return
            if record.payload is not None:
                yield record

    def follow(self, start=None, interval=0.01) -> Iterator[Record]:
        """Gives the records from a position on, and waits for new ones for ever."""
        self.position = start or 0
        while True:
            yield from self.read(self.position)
            time.sleep(interval)

    # The next record; one without a payload is padding; None is the end for now.
    def _next(self) -> Optional[Record]:
        number, offset = divmod(self.position, self.segment_bytes)
        first = self.first_segment
        if first is None:
            return None
        if not 0 <= first < 1 << 31:
            raise QueueError(f"The control file of '{self.directory}' is damaged: the first segment is {first}.")
        # It was loaded before the newest one: both only grow, and the newest is never deleted.
        newest = self._control.signed[384 >> 3] - 1 if self.is_durable and not self._has_crashed else first
        if newest < first and (first, newest) != (0, -1):
            raise QueueError(f"The control file of '{self.directory}' is damaged: it cannot have the segments from {first} to {newest}.")
        if number < first:
            number, offset = first, 0
            self.position = first * self.segment_bytes
        if not self._is_open(number) or not self._enter(number):
            if (self.first_segment or 0) > number:
                return Record(self.position, 0, None, {})
            return self._look_again() if self._has_crashed else None
        if offset == 0:
            # The header, a record of padding that was checked when the segment was entered.
            self.position += _SEGMENT_HEADER_BYTES
            return Record(self.position, 0, None, {})
        base = 0 if self.is_durable else number % self.slots * self.segment_bytes
        mapping = self._segment if self.is_durable else self._ring
        word = mapping.word(base + offset)
        state, owner, size = word & 7, word >> 3 & 0x1FFF, word >> 32
        is_valid = state in (1, 2, 3) and size and size % 16 == 0 and size <= self.segment_bytes - offset \
            and (state != 1 or 0 < owner < _PARTICIPANT_SLOTS)
        if word == self._free_word or (state == 1 and is_valid and not self._is_dead(owner, mapping, base + offset, word)):
            # Of a ring: the end for now, or a producer has begun to reuse the slot.
            return None if self._is_open(number) else Record(self.position, 0, None, {})
        record = bytes(mapping.data[base + offset:base + offset + size]) if is_valid else b""
        if not self.is_durable and not self._is_open(number):
            return Record(self.position, 0, None, {})
        if not is_valid or (self._has_crashed and self.position >= self._whole_end and not self._find_whole_end(mapping, offset)):
            if self._has_crashed:
                return self._look_again()
            raise QueueError(f"The queue in '{self.directory}' is damaged: the record at {self.position} has the state word {word:#018x}.")
        if state == 3 and not self._is_whole(record, word, offset, self.position):
            raise QueueError(f"The queue in '{self.directory}' is damaged: the padding at {self.position} does not have the checksum that it was written with.")
        position, self.position = self.position, self.position + size
        return self._record(record, word, position) if state == 2 else Record(position, 0, None, {})

    # Whether the record at an offset, and the rest of the batch that it begins, are as they were written. Stores their end.
    def _find_whole_end(self, mapping, offset):
        position = self.position
        while offset < self.segment_bytes:
            word = mapping.word(offset)
            size = word >> 32
            if word & 7 not in (2, 3) or not size or size % 16 or size > self.segment_bytes - offset \
                    or not self._is_whole(bytes(mapping.data[offset:offset + size]), word, offset, position):
                return False
            position, offset = position + size, offset + size
            if word & 7 == 3 or not word & _IS_CONTINUED:
                self._whole_end = position
                return True
        return False

    # Whether a finished record is as it was written, as far as that can be checked. Padding that fills the rest of a segment has no checksum.
    def _is_whole(self, record, word, offset, position):
        size, checksum = struct.unpack_from("<II", record, 8)
        is_padding = word & 7 == 3
        room = 0 if is_padding else len(record) - _RECORD_HEADER_BYTES
        if not self.has_checksums:
            return is_padding or size <= room
        # A checksum may also be 0.
        if is_padding and size == 0 and checksum == 0 and len(record) == self.segment_bytes - offset:
            return True
        if size > room or crc32c(struct.pack("<qQI", position, word, size) + record[16:16 + size]) != checksum:
            return False
        try:
            if not is_padding and word & _HAS_PROPERTIES:
                _property_entries(record[16 + size:], position)
            return True
        except QueueError:
            return False

    def _record(self, record, word, position):
        size, checksum = struct.unpack_from("<II", record, 8)
        if word >> 24 & 0xFF:
            raise QueueError(f"The record at {position} has required features {word >> 24 & 0xFF:#x}: {_UPDATE}.")
        if size > len(record) - _RECORD_HEADER_BYTES:
            raise QueueError(f"The queue in '{self.directory}' is damaged: the payload of the record at {position} is longer than the record.")
        if self.has_checksums and crc32c(struct.pack("<qQI", position, word, size) + record[16:16 + size]) != checksum:
            raise QueueError(f"The queue in '{self.directory}' is damaged: the checksum of the record at {position} differs.")
        properties, has_properties = {}, False
        if word & _HAS_PROPERTIES:
            properties = parse_properties(record[16 + size:], position)
            # The block ends with its length and its checksum.
            has_properties = struct.unpack_from("<I", record, len(record) - 8)[0] > 8
        return Record(position, self.epoch_of(position), record[16:16 + size], properties, has_properties)

    # Whether the writer of a reserved record died: its lease can be locked. The record may have been committed just before.
    def _is_dead(self, slot, mapping, at, word):
        try:
            import fcntl
            descriptor = os.open(os.path.join(self.directory, "leases", str(slot)), os.O_RDONLY | _NO_WAIT)
        except FileNotFoundError:
            return mapping.word(at) == word
        except (ImportError, OSError):
            return False
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
            return mapping.word(at) == word
        except OSError:
            return False
        finally:
            os.close(descriptor)

    # At the end of a queue whose machine crashed: a participant may have repaired it meanwhile. Then the segment is looked at anew.
    def _look_again(self):
        self._has_crashed = self._boot_id_differs()
        self._number = self._number if self._has_crashed else -1
        return None if self._has_crashed else Record(self.position, 0, None, {})

    # What is not as it was written is damage, but after a crash of the machine the queue ends before it.
    def _not_whole(self, fault):
        if not self._has_crashed:
            raise QueueError(fault)
        return False

    # Maps a segment and checks its header. False if retention has deleted it, a producer reuses its slot, or it is not whole after a crash of the machine.
    def _enter(self, number):
        if number == self._number:
            return True
        if self.is_durable:
            mapping = self._map(number)
            if mapping is None:
                return False if self.first_segment > number else self._not_whole(f"The file of segment {number} of '{self.directory}' is missing.")
            if self._segment:
                self._segment.close()
            self._segment, self._number = mapping, -1
            if mapping.size < self.segment_bytes:
                return self._not_whole(f"Segment {number} of '{self.directory}' is cut off.")
            header = bytes(mapping.data[:_SEGMENT_HEADER_BYTES])
        else:
            at = number % self.slots * self.segment_bytes
            header = bytes(self._ring.data[at:at + _SEGMENT_HEADER_BYTES])
            if not self._is_open(number):
                return False
        return self._check_header(number, header)

    def _map(self, number):
        try:
            return _Mapping(os.path.join(self.directory, f"{number * self.segment_bytes:020}.segment"))
        except FileNotFoundError:
            return None
        except OSError as error:
            raise QueueError(f"The file of segment {number} of '{self.directory}' cannot be read: {error.strerror}.") from None

    # Checks the header of a segment, also as the record that it is.
    def _check_header(self, number, header):
        word, magic, version, size, required = struct.unpack_from("<Q8x4sHHI", header)
        is_header = magic == b"BMS1" and struct.unpack_from("<I", header, 124)[0] == crc32c(header[16:124])
        if not is_header or word & 7 != 3 or word >> 32 != size:
            return self._not_whole(f"The header of segment {number} of '{self.directory}' is damaged.")
        if version != 1 or size != _SEGMENT_HEADER_BYTES or required:
            raise QueueError(f"Segment {number} of '{self.directory}' is of version {version} with required features {required:#x}: {_UPDATE}.")
        stored, free_word = struct.unpack_from("<qQ", header, 48)
        if header[32:48] != self.id.bytes_le or stored != number:
            raise QueueError(f"Segment {number} of '{self.directory}' belongs to another queue, or to another place in it.")
        if free_word & 7:
            raise QueueError(f"The header of segment {number} of '{self.directory}' is damaged: its free word is that of a record.")
        if not self._is_whole(header, word, 0, number * self.segment_bytes):
            return self._not_whole(f"The header of segment {number} of '{self.directory}' does not have the checksum that it was written with.")
        self._number, self._free_word = number, free_word
        return True


# ---------------------------------------------------------------- command line

def _property_json(name, value):
    if name == "time":
        text = _ticks_text(value)
        return _json_text(text) if text else "null"
    if name == "source":
        return f'{{"queue":"{value[0]}","epoch":{value[1]},"position":{value[2]}}}'
    if name == "headers":
        return "{" + ",".join(_json_text(key) + ":" + _json_text(one) for key, one in value.items()) + "}"
    return _json_text(value) if isinstance(value, str) else str(value)


def _properties_json(properties):
    return "{" + ",".join(f'"{name}":' + _property_json(name, value) for name, value in properties.items()) + "}"


def record_json(record, schema):
    """One line of `cat`: position, epoch, properties if there are any, and the message as JSON or its bytes as base64."""
    properties = f',"properties":{_properties_json(record.properties)}' if record.has_properties else ""
    if schema is None:
        content = '"payload":"' + base64.b64encode(record.payload).decode() + '"'
    else:
        content = '"message":' + to_json(record.payload, schema)
    return f'{{"position":{record.position},"epoch":{record.epoch}{properties},{content}}}'


def _cat(arguments):
    with Queue(arguments.directory) as queue:
        schema, size = None, 0
        for record in queue.follow() if arguments.follow else queue.read():
            # A producer may have added a version before it wrote the record.
            if queue.content == "messages" and (schema is None or queue._schema_bytes() != size):
                size = queue._schema_bytes()
                schema = Schema.parse_stored(queue.schema_text)
            try:
                line = record_json(record, schema)
            except MalformedMessage as error:
                raise QueueError(f"The record at {record.position}: {error}") from None
            print(line, flush=arguments.follow)


def _info(arguments):
    import json

    with Queue(arguments.directory) as queue:
        print(json.dumps(queue.info(), indent=2, ensure_ascii=True))


def _files(arguments):
    # As the text of a queue: bytes that are not UTF-8 read as U+FFFD.
    with open(arguments.schema, encoding="utf-8", errors="replace", newline="") as file:
        schema = Schema.parse_stored(file.read())
    with open(arguments.message, "rb") as file:
        return file.read(), schema


def _print_json(arguments):
    data, schema = _files(arguments)
    print(to_json(data, schema))


def _verify(arguments):
    data, schema = _files(arguments)
    if hasattr(sys.stdout, "reconfigure"):
        # The path has the names of the program, which the encoding of the output may not have.
        sys.stdout.reconfigure(errors="backslashreplace")
    error = verify(data, schema, arguments.exact)
    print(error or "valid")
    return 1 if error else 0


# The interpreter writes what is left at its end, and says so if it cannot.
def _drop_output():
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main(arguments=None):
    """The command line."""
    parser = argparse.ArgumentParser(description="Reads messages and queue directories of BufferedMessages.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    cat = commands.add_parser("cat", help="print the records of a queue as JSON lines")
    cat.add_argument("directory")
    cat.add_argument("--follow", action="store_true", help="wait for new records")
    cat.set_defaults(run=_cat)
    info = commands.add_parser("info", help="print the content of the control file of a queue")
    info.add_argument("directory")
    info.set_defaults(run=_info)
    for name, run, text in (("json", _print_json, "print a message as JSON"), ("verify", _verify, "check a message")):
        command = commands.add_parser(name, help=text)
        command.add_argument("schema", help="a file with the schema text")
        command.add_argument("message", help="a file with the bytes of the message")
        command.set_defaults(run=run)
        if run is _verify:
            command.add_argument("--exact", action="store_true", help="demand the bytes that .NET writes, also where no member is")
    parsed = parser.parse_args(arguments)
    try:
        code = parsed.run(parsed) or 0
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        # Ctrl-C ends `cat --follow`; shells expect this code.
        return 130
    except BrokenPipeError:
        # The reader of the pipe has seen enough, as with `| head`.
        _drop_output()
        return 0
    except (QueueError, MalformedMessage, SchemaError, OSError) as error:
        print(error, file=sys.stderr)
        try:
            sys.stdout.flush()
        except OSError:
            _drop_output()
        return 2


if __name__ == "__main__":
    sys.exit(main())
