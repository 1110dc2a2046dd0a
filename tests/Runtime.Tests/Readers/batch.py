"""Reads a file of messages and prints what the Python reader says of each: python batch.py READER_FOLDER FILE PART PARTS.

The file: for each schema u32 bytes, its text, u32 messages; for each message u8 1 if it is also read, and written again if it is exact, u32 bytes, the bytes.
A line for each message: rule, position and path of a plain and of an exact verification, the JSON, the bytes that are written again in hex.
Process PART of PARTS does each PARTS-th schema.
"""

import struct
import sys

sys.path.insert(0, sys.argv[1])
import bufferedmessages as bm  # noqa: E402


def columns(error):
    return (error.rule, str(error.position), error.path) if error else ("", "0", "")


def main():
    part, parts = int(sys.argv[3]), int(sys.argv[4])
    with open(sys.argv[2], "rb") as file:
        data = file.read()
    at, number = 0, 0
    lines = []
    while at < len(data):
        size = struct.unpack_from("<I", data, at)[0]
        text = data[at + 4:at + 4 + size].decode()
        count = struct.unpack_from("<I", data, at + 4 + size)[0]
        at += 8 + size
        schema = bm.Schema.parse(text) if number % parts == part else None
        for _ in range(count):
            is_read, size = struct.unpack_from("<BI", data, at)
            message = data[at + 5:at + 5 + size]
            at += 5 + size
            if schema is None:
                continue
            error = bm.verify(message, schema)
            inexact = bm.verify(message, schema, True)
            row = columns(error) + columns(inexact)
            if is_read:
                row += (bm.to_json(message, schema), "" if inexact else bm.encode(bm.decode(message, schema), schema).hex())
            lines.append("\t".join(row))
        number += 1
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    print("\n".join(lines))


main()
