"""Makes queue directories by docs/format/queues.md alone: python make_queue.py SCENARIO DIRECTORY [COUNT] [LEASE].

Prints the lines that a reader must print of it. The scenario `all` makes each of them in the directory, with its lines in a file beside it.
It shares nothing with the readers: not even their checksums.
"""

import base64
import fcntl
import mmap
import os
import struct
import sys
import uuid

SEGMENT = 1 << 16
CONTROL = 462_336
QUEUE_ID = uuid.UUID("00112233-4455-6677-8899-aabbccddeeff")
EPOCH_STARTS = {1: 0, 2: 4096, 3: SEGMENT + 1024}
TICKS = 638_000_000_000_000_000  # 2022-09-28T22:13:20Z
RESERVED, COMMITTED, PADDING = 1, 2, 3


def crc_of(byte):
    for _ in range(8):
        byte = (byte >> 1) ^ (0x82F63B78 if byte & 1 else 0)
    return byte


CRC_OF = [crc_of(byte) for byte in range(256)]


def crc(*parts):
    result = 0xFFFFFFFF
    for byte in b"".join(parts):
        result = (result >> 8) ^ CRC_OF[(result ^ byte) & 0xFF]
    return result ^ 0xFFFFFFFF


def boot_id():
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
            return uuid.UUID(file.read().strip()).bytes_le
    except OSError:
        return bytes(16)


class Maker:
    def __init__(self, directory, mode, slots=0, required=1, free_word=0, epochs=EPOCH_STARTS, content=1, schema=b"", exists=False):
        self.directory, self.mode, self.slots, self.required, self.free_word, self.epochs = directory, mode, slots, required, free_word, epochs
        self.exists = exists
        os.makedirs(os.path.join(directory, "leases"), exist_ok=exists)
        self.control = bytearray(CONTROL)
        self.segments = {}
        self.position = 0
        self.lines = []
        self.put(0, "<4sIIIqII", b"BMQ1", 2, mode, 2, SEGMENT, slots, required)
        self.put(32, "<QqqII", 0x1234, TICKS, CONTROL, 256, 254)
        self.put(64, "<IIQ", content, len(schema), 0)
        self.control[200_192:200_192 + len(schema)] = schema
        self.put(1536, "<Q8x16s", max(epochs), QUEUE_ID.bytes_le)
        for epoch, start in epochs.items():
            self.put(2048 + epoch % 64 * 8, "<q", start)
        if mode == 1:
            self.control[1408:1424] = boot_id()

    def put(self, at, code, *values):
        struct.pack_into(code, self.control, at, *values)

    def segment(self, number):
        if number not in self.segments:
            data = bytearray(struct.pack("<Q", self.free_word) + bytes(8)) * (SEGMENT // 16)
            word = PADDING | 128 << 32
            body = struct.pack(
                "<4sHHII16sqQQIIqQ28x", b"BMS1", 1, 128, 0, 0, QUEUE_ID.bytes_le, number, self.free_word, 0, 1, 0, TICKS, 1)
            data[:128] = struct.pack("<QII", word, 0, self.checksum(number * SEGMENT, word, b"")) + body + struct.pack("<I", crc(body))
            self.segments[number] = data
        return self.segments[number]

    def checksum(self, position, word, payload):
        return crc(struct.pack("<qQI", position, word, len(payload)), payload) if self.required & 1 else 0

    def epoch_of(self, position):
        return max(epoch for epoch, start in self.epochs.items() if start <= position)

    def write(self, payload, properties=None, state=COMMITTED, owner=5, fill=b"\0", is_continued=False):
        """Appends a record; one that does not fit into its segment goes to the next."""
        block = self.properties(properties) if properties else b""
        size = (16 + len(payload) + len(block) + 15) & ~15
        offset = self.position % SEGMENT
        if offset == 0:
            self.position += 128
        elif offset + size > SEGMENT:
            rest = SEGMENT - offset
            self.segment(self.position // SEGMENT)[offset:offset + 16] = struct.pack("<QQ", PADDING | owner << 3 | rest << 32, 0)
            self.position += rest + 128
        number, offset = divmod(self.position, SEGMENT)
        word = state | owner << 3 | (1 << 16 if properties else 0) | (1 << 17 if is_continued else 0) | size << 32
        gap = fill * (size - 16 - len(payload) - len(block))
        if block:
            block = block[:-4] + struct.pack("<I", crc(struct.pack("<q", self.position), block[:-4]))
        record = struct.pack("<QII", word, len(payload), self.checksum(self.position, word, payload)) + payload + gap + block
        self.segment(number)[offset:offset + size] = record
        at, self.position = self.position, self.position + size
        return at

    @staticmethod
    def properties(entries):
        data = b""
        for kind, value in entries:
            data += struct.pack("<HH", kind, len(value)) + value + bytes(-len(value) % 4)
        data += bytes(-len(data) % 8)
        return data + struct.pack("<II", len(data) + 8, 0)

    def publish(self, payload, properties=None, text="", **options):
        at = self.write(payload, properties, **options)
        shown = f',"properties":{text}' if text else ""
        self.lines.append(f'{{"position":{at},"epoch":{self.epoch_of(at)}{shown},"payload":"{base64.b64encode(payload).decode()}"}}')
        return at

    def save(self, first=0, leave_out=()):
        newest = max(self.segments, default=-1)
        if self.mode == 1:
            self.put(384, "<q", newest + 1)
            self.put(1024, "<q", first)
            for number, data in self.segments.items():
                if number >= first and number not in leave_out:
                    self.write_file(f"{number * SEGMENT:020}.segment", data)
        else:
            ring = bytearray(self.slots * SEGMENT)
            for number, data in sorted(self.segments.items()):
                slot = number % self.slots
                ring[slot * SEGMENT:(slot + 1) * SEGMENT] = data
                self.put(167_424 + slot * 128, "<Q", 2 * number + 2)
            self.write_file("ring", ring)
        self.write_file("control", self.control)

    def write_file(self, name, data):
        # A file that exists is not cut: a reader has mapped it.
        with open(os.path.join(self.directory, name), "r+b" if self.exists else "wb") as file:
            file.write(data)


ALL_PROPERTIES = [
    (1, struct.pack("<q", TICKS)),
    (2, bytes(range(16)) + bytes(range(16, 24)) + b"\1" + b"vendor=\"1\""),
    (3, QUEUE_ID.bytes_le + struct.pack("<Qq", 7, 4096)),
    (4, b"order-17"),
    (5, "répondre".encode()),
    (6, struct.pack("<I", 3)),
    (7, b"timeout"),
    (8, struct.pack("<H", 4) + b"name" + b"value"),
    (8, struct.pack("<H", 5) + b"empty"),
    (99, b"not known"),
    (0x8001, b"not known"),
]
ALL_TEXT = (
    '{"time":"2022-09-28T22:13:20.0000000Z","trace":"00-000102030405060708090a0b0c0d0e0f-1011121314151617-01","traceState":"vendor=\\u00221\\u0022",'
    '"source":{"queue":"00112233-4455-6677-8899-aabbccddeeff","epoch":7,"position":4096},"correlation":"order-17","replyTo":"r\\u00E9pondre",'
    '"attempts":3,"reason":"timeout","headers":{"name":"value","empty":""}}')


def fill(queue, records):
    """Records of all sizes, some with properties, some that their writers left reserved when they died."""
    for i in range(records):
        payload = bytes((i * 7 + j) & 0xFF for j in range(i * 37 % 1500))
        if i % 5 == 0:
            queue.publish(payload, ALL_PROPERTIES, ALL_TEXT, fill=b"\xEE")
        elif i % 11 == 3:
            queue.write(payload, state=RESERVED, owner=200)
        elif i % 11 == 7:
            queue.write(b"", state=PADDING)
        else:
            queue.publish(payload)


def of_records(mode, slots=0, **options):
    def make(directory):
        queue = Maker(directory, mode, slots, **options)
        fill(queue, 300 if mode == 1 else 100)
        queue.save()
        return queue.lines

    return make


def unknown_properties(directory):
    """Records whose properties are all of kinds that a reader does not know: it says that there are some."""
    queue = Maker(directory, 1)
    queue.publish(b"one", [(99, b"not known")], "{}")
    queue.publish(b"two", [(0x8001, b"")], "{}")
    queue.save()
    return queue.lines


def overtaken(directory):
    """A ring of 4 segments in its second lap: the first positions are gone."""
    queue = Maker(directory, 2, 4)
    fill(queue, 500)
    queue.save()
    oldest = max(queue.segments) - 3
    return [line for line in queue.lines if int(line.split(":")[1].split(",")[0]) >= oldest * SEGMENT]


def retained(directory):
    queue = Maker(directory, 1)
    fill(queue, 300)
    queue.save(first=1)
    return [line for line in queue.lines if int(line.split(":")[1].split(",")[0]) >= SEGMENT]


def messages(directory):
    text = b"message Shop.Old\n0 i32 Id\n\nmessage Shop.New\n0 i32 Id\n1 string Name\n"
    queue = Maker(directory, 1, content=2, schema=text)
    for i in range(10):
        name = bytes([97 + i]) * (i % 7 + 1)
        slot = name.ljust(7, b"\0") + bytes([0x80 + len(name)])
        at = queue.write(struct.pack("<HHIi4x8s", 2, 1, 24, i, slot))
        queue.lines.append(f'{{"position":{at},"epoch":1,"message":{{"Id":{i},"Name":"{name.decode()}"}}}}')
    queue.save()
    return queue.lines


def damaged_message(directory):
    """The second message says that it has more members than bytes."""
    queue = Maker(directory, 1, content=2, schema=b"message Shop.New\n0 i32 Id\n1 string Name\n")
    for words in (2, 20):
        queue.write(struct.pack("<HHIi4xQ", words, 1, 24, 1, 0))
    queue.save()
    return ['{"position":128,"epoch":1,"message":{"Id":1,"Name":null}}']


def property_twice(directory):
    """Only headers may come several times."""
    queue = Maker(directory, 1)
    queue.publish(b"two attempts", [(6, struct.pack("<I", 1)), (6, struct.pack("<I", 2))])
    queue.save()
    return []


def times(directory):
    """A time outside of the range is null."""
    queue = Maker(directory, 1)
    for ticks in (0, -1, 3155378975999999999, 3155378975999999999 + 1, 1 << 62 | TICKS, 1 << 63 | TICKS):
        text = {0: '"0001-01-01T00:00:00.0000000Z"', 3155378975999999999: '"9999-12-31T23:59:59.9999999Z"'}.get(ticks, "null")
        queue.publish(b"timed", [(1, struct.pack("<Q", ticks & 0xFFFFFFFFFFFFFFFF))], f'{{"time":{text}}}')
    queue.save()
    return queue.lines


def pipe(name, mode, slots=0):
    """A file of the queue is a pipe that nobody writes to: a reader that waits for a writer would wait for ever."""
    def make(directory):
        queue = Maker(directory, mode, slots)
        queue.publish(b"not read")
        queue.save()
        os.remove(os.path.join(directory, name))
        os.mkfifo(os.path.join(directory, name))
        return []

    return make


def empty(directory):
    Maker(directory, 1).save()
    return []


def crashed(directory):
    """The machine crashed: of the last record only the header reached the disk, and the record after it all of it."""
    queue = Maker(directory, 1)
    queue.control[1408:1424] = b"\x5A" * 16
    fill(queue, 3)
    kept = len(queue.lines)
    at = queue.publish(b"x" * 100)
    queue.segment(0)[at + 40:at + 60] = bytes(20)
    queue.publish(b"after it")
    queue.save()
    return queue.lines[:kept]


def repaired(directory):
    """A participant has repaired the queue of `crashed`, where it lies; then a producer died, and another one published."""
    queue = Maker(directory, 1, exists=True)
    fill(queue, 3)
    queue.write(b"its writer died", state=RESERVED, owner=200)
    queue.publish(b"after the repair")
    queue.save()
    return queue.lines[-1:]


def crashed_properties(directory):
    """The machine crashed: of the last record the payload reached the disk, and the properties did not."""
    queue = Maker(directory, 1)
    queue.control[1408:1424] = b"\x5A" * 16
    fill(queue, 3)
    kept = len(queue.lines)
    queue.publish(b"x" * 100, ALL_PROPERTIES, ALL_TEXT)
    queue.segment(0)[queue.position - 100:queue.position] = bytes(100)
    queue.save()
    return queue.lines[:kept]


def two_segments(directory, **options):
    queue = Maker(directory, 1, **options)
    for i in range(100):
        queue.publish(b"message %d" % i + bytes(900))
    return queue


def crashed_segment(lose):
    """The machine crashed: the disk did not keep the second segment, which the control file counts, or not all of it."""
    def make(directory):
        queue = two_segments(directory)
        queue.control[1408:1424] = b"\x5A" * 16
        queue.save()
        lose(os.path.join(directory, f"{SEGMENT:020}.segment"))
        return [line for line in queue.lines if int(line.split(":")[1].split(",")[0]) < SEGMENT]

    return make


def zero_header(path):
    with open(path, "r+b") as file:
        file.write(bytes(128))


def repaired_segment(directory):
    """A participant has made the second segment of `crashed-header` anew, where it lies, and others have published there."""
    queue = two_segments(directory, exists=True)
    queue.save()
    return [line for line in queue.lines if int(line.split(":")[1].split(",")[0]) > SEGMENT][:1]


def crashed_batch(directory):
    """The machine crashed: of the second batch a record did not reach the disk, so none of it counts. The last record of the third has no end."""
    queue = Maker(directory, 1)
    queue.control[1408:1424] = b"\x5A" * 16
    fill(queue, 3)
    for i in range(4):
        queue.publish(b"batch %d" % i, ALL_PROPERTIES, ALL_TEXT, is_continued=i < 3)
    kept = len(queue.lines)
    for i in range(4):
        at = queue.publish(b"lost %d" % i, is_continued=i < 3)
        if i == 2:
            queue.segment(0)[at:at + 32] = bytes(32)
    queue.save()
    return queue.lines[:kept]


def crashed_batch_without_end(directory):
    """The machine crashed: the batch has no last record. Nothing is checked by checksums."""
    queue = Maker(directory, 1, required=0)
    queue.control[1408:1424] = b"\x5A" * 16
    queue.publish(b"kept")
    for i in range(3):
        queue.publish(b"lost %d" % i, is_continued=True)
    queue.save()
    return queue.lines[:1]


def batches(directory):
    """Batches are records as others, also for a reader that does not know the feature."""
    queue = Maker(directory, 1)
    for i in range(50):
        queue.publish(b"message %d" % i, *((ALL_PROPERTIES, ALL_TEXT) if i % 4 == 0 else ()), is_continued=i % 8 != 7)
    queue.save()
    return queue.lines


def held(directory):
    """A reserved record of a producer that lives: the end for now. The lease is held by the process that the test keeps."""
    queue = Maker(directory, 1)
    queue.publish(b"before")
    queue.write(b"at work", state=RESERVED, owner=9)
    queue.publish(b"after")
    queue.save()
    with open(os.path.join(directory, "leases", "9"), "wb"):
        pass
    return queue.lines[:1]


def ring_state(directory):
    """The slot of the newest segment names an older one, of another slot. It would hide all that are there."""
    queue = Maker(directory, 2, 4)
    fill(queue, 600)
    queue.save()
    newest = max(queue.segments)
    with open(os.path.join(directory, "control"), "r+b") as file:
        file.seek(167_424 + newest % 4 * 128)
        file.write(struct.pack("<Q", 2 * (newest - 5) + 2))
    return []


def open_segments(directory):
    """The number of open segments is lost. It would hide all that are there."""
    queue = Maker(directory, 1)
    fill(queue, 300)
    queue.save(first=1)
    with open(os.path.join(directory, "control"), "r+b") as file:
        file.seek(384)
        file.write(bytes(8))
    return []


def reserved_length(directory):
    """A reservation of an impossible length is damage, whether its producer lives or not. Nothing is known of that: its lease cannot be opened."""
    queue = Maker(directory, 1)
    at = queue.write(b"not written", state=RESERVED, owner=9)
    struct.pack_into("<I", queue.segment(0), at + 4, 24)
    queue.save()
    os.symlink("9", os.path.join(directory, "leases", "9"))
    return []


def damaged(change):
    """A queue that must be refused, at once or after its first record."""
    def make(directory):
        queue = Maker(directory, 1)
        at = queue.publish(b"a payload of some bytes", [(1, struct.pack("<q", TICKS))], "{}")
        change(queue, at)
        queue.save()
        return []

    return make


def patch(where, code, *values):
    def change(queue, at):
        data = queue.control if where == "control" else queue.segment(0)
        start = {"control": 0, "segment": 0, "record": at}[where]
        struct.pack_into(code, data, start + values[0], *values[1:])
        if where == "segment" and values[0] < 124:
            struct.pack_into("<I", data, 124, crc(bytes(data[16:124])))

    return change


REFUSED = {
    "magic": patch("control", "<4s", 0, b"BMQ2"),
    "version": patch("control", "<I", 4, 3),
    "mode": patch("control", "<I", 8, 3),
    "segment-size": patch("control", "<q", 16, 100_000),
    "required-features": patch("control", "<I", 28, 3),
    "content": patch("control", "<I", 64, 4),
    "segment-magic": patch("segment", "<4s", 16, b"BMSX"),
    "segment-version": patch("segment", "<H", 20, 2),
    "segment-features": patch("segment", "<I", 24, 1),
    "foreign-segment": patch("segment", "<16s", 32, uuid.UUID(int=5).bytes_le),
    "other-number": patch("segment", "<q", 48, 1),
    "free-word": patch("segment", "<Q", 56, 1),
    "segment-checksum": patch("segment", "<I", 124, 1),
    "segment-record": patch("segment", "<Q", 0, COMMITTED | 128 << 32),
    "segment-record-checksum": patch("segment", "<I", 12, 1),
    "record-features": patch("record", "<B", 3, 1),
    "checksum": patch("record", "<B", 20, 0xFF),
    "state": patch("record", "<Q", 0, 5 | 64 << 32),
    "length": patch("record", "<I", 4, 24),
    "reserved-by-nobody": patch("record", "<Q", 0, RESERVED | 64 << 32),
    "reserved-by-no-slot": patch("record", "<Q", 0, RESERVED | 256 << 3 | 64 << 32),
    "long-record": patch("record", "<I", 4, SEGMENT),
    "not-the-free-word": patch("record", "<Q", 0, 64 << 32),
    "long-payload": patch("record", "<I", 8, 1000),
    "properties": patch("record", "<B", 46, 0xFF),
    # One bit makes the message padding.
    "padding": patch("record", "<B", 0, PADDING | 5 << 3),
}

SCENARIOS = {
    "durable": of_records(1),
    "durable-without-checksums": of_records(1, required=0),
    "durable-with-free-word": of_records(1, free_word=0x1122334455667788),
    "bounded": of_records(2, 4),
    "unknown-properties": unknown_properties,
    "overtaken": overtaken,
    "retained": retained,
    "messages": messages,
    "empty": empty,
    "crashed": crashed,
    "crashed-properties": crashed_properties,
    "crashed-header": crashed_segment(zero_header),
    "crashed-segment": crashed_segment(os.remove),
    "crashed-cut-segment": crashed_segment(lambda path: os.truncate(path, 4096)),
    "crashed-batch": crashed_batch,
    "crashed-batch-without-end": crashed_batch_without_end,
    "batches": batches,
    "held": held,
    "times": times,
    "refused-message": damaged_message,
    "refused-property-twice": property_twice,
    "refused-reserved-length": reserved_length,
    "refused-open-segments": open_segments,
    "refused-ring-state": ring_state,
    "refused-pipe-control": pipe("control", 1),
    "refused-pipe-segment": pipe(f"{0:020}.segment", 1),
    "refused-pipe-ring": pipe("ring", 2, 4),
    **{"refused-" + name: damaged(change) for name, change in REFUSED.items()},
}


def live(directory, mode, count):
    """A queue that is written while it is read: the state word of each record is stored last. A line of standard input begins it."""
    slots = 4 if mode == 2 else 0
    queue = Maker(directory, mode, slots, required=0, epochs={1: 0})
    queue.segment(0)
    queue.save()
    print("ready", flush=True)
    sys.stdin.readline()
    control_file = open(os.path.join(directory, "control"), "r+b")
    control = mmap.mmap(control_file.fileno(), CONTROL)
    words = memoryview(control).cast("Q")
    segment, number, position = None, -1, 128
    for i in range(count):
        payload = struct.pack("<QQ", i, i * i) * (i % 40 + 1)
        size = (16 + len(payload) + 15) & ~15
        if position % SEGMENT + size > SEGMENT:
            rest = SEGMENT - position % SEGMENT
            segment[position % SEGMENT // 8 + 1] = 0
            segment[position % SEGMENT // 8] = PADDING | rest << 32
            position += rest
        if position % SEGMENT == 0:
            position += 128
        if position // SEGMENT != number:
            number = position // SEGMENT
            segment = next_segment(queue, words, number)
        at = position % SEGMENT
        segment[at // 8 + 1] = len(payload)
        segment[at // 8 + 2:at // 8 + 2 + len(payload) // 8] = memoryview(payload).cast("Q")
        segment[at // 8] = COMMITTED | size << 32
        position += size


def next_segment(queue, words, number):
    data = queue.segment(number)
    del queue.segments[number]
    if queue.mode == 1:
        name = f"{number * SEGMENT:020}.segment"
        if number > 0:
            queue.write_file(name + ".creating", data)
            os.rename(os.path.join(queue.directory, name + ".creating"), os.path.join(queue.directory, name))
        file = open(os.path.join(queue.directory, name), "r+b")
        segment = memoryview(mmap.mmap(file.fileno(), SEGMENT)).cast("Q")
        words[384 // 8] = number + 1
        return segment
    slot = number % queue.slots
    state = (167_424 + slot * 128) // 8
    file = open(os.path.join(queue.directory, "ring"), "r+b")
    ring = memoryview(mmap.mmap(file.fileno(), queue.slots * SEGMENT)).cast("Q")
    segment = ring[slot * SEGMENT // 8:(slot + 1) * SEGMENT // 8]
    if number > 0:
        words[state] = 2 * number + 1
        segment[:] = memoryview(bytes(data)).cast("Q")
        words[state] = 2 * number + 2
    return segment


def main():
    scenario, directory = sys.argv[1:3]
    if scenario == "all":
        for name, make in SCENARIOS.items():
            with open(os.path.join(directory, name + ".lines"), "w", encoding="utf-8", newline="\n") as file:
                file.writelines(f"{line}\n" for line in make(os.path.join(directory, name)))
    elif scenario == "hold":
        with open(directory, "rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            print("held", flush=True)
            sys.stdin.readline()
    elif scenario == "repair":
        print("\n".join(repaired(directory)))
    elif scenario == "repair-header":
        print("\n".join(repaired_segment(directory)))
    elif scenario.startswith("live"):
        live(directory, 1 if scenario == "live-durable" else 2, int(sys.argv[3]))
    else:
        for line in SCENARIOS[scenario](directory):
            print(line)


main()
