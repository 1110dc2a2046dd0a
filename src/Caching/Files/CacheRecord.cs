using System.Diagnostics;
using System.Numerics;
using System.Runtime.CompilerServices;
using BufferedMessages.Segments;

namespace BufferedMessages.Caching;

/// <summary>
/// One entry in a segment. It is written once; only its expiry changes later. All lengths are loaded once, and checked against the segment.
/// <code>
///  0  u64 state word, see <see cref="RecordWord"/>     flag: bit 16 has a latest expiry
///  8  u32 bytes from offset 32 to the end of the value
/// 12  u32 checksum over everything but the expiry
/// 16  u64 sequence number: of two records of a key the larger one counts
/// 24  u64 expiry word
/// 32  u64 fingerprint of the message's schema; 0 for bytes
/// 40  u32 key bytes
/// 44  u32 value bytes
/// 48  u64 latest expiry, u64 window, with that flag
///     key, up to 7 bytes of padding, value
///     up to 7 bytes of padding, tags, see <see cref="TagBlock"/>, with the flag of bit 17
/// </code>
/// </summary>
internal readonly unsafe struct CacheRecord
{
    public const ulong LatestFlag = 1UL << 16;
    public const ulong TagsFlag = 1UL << 17;

    /// <summary>The most bytes that a record takes besides its key and value.</summary>
    public const int MaxOverheadBytes = HeaderBytes + LatestBytes + 32;

    private const int ChecksumOffset = 12;
    private const int SequenceOffset = 16;
    private const int ExpiryOffset = 24;
    private const int CheckedOffset = 32;
    private const int SchemaOffset = 32;
    private const int KeyBytesOffset = 40;
    private const int ValueBytesOffset = 44;
    private const int HeaderBytes = 48;
    private const int LatestBytes = 16;

    private readonly byte* _start;
    private readonly int _keyBytes;

    // SAFETY: TryRead has checked the lengths. The holder of the record keeps a lease of its segment, or of its copy.
    private CacheRecord(byte* start, ulong word, int keyBytes, int valueBytes)
    {
        _start = start;
        Word = word;
        _keyBytes = keyBytes;
        ValueBytes = valueBytes;
    }

    // SAFETY: valid as long as the record.
    public byte* Start => _start;

    /// <summary>Gets the state word.</summary>
    public ulong Word { get; }

    /// <summary>Gets the bytes of the whole record.</summary>
    public uint Bytes => RecordWord.Bytes(Word);

    // SAFETY: TryRead has checked that the key ends inside the record.
    public ReadOnlySpan<byte> Key => new(_start + KeyOffset(Word), _keyBytes);

    // SAFETY: TryRead has checked that the value ends inside the record.
    public ReadOnlySpan<byte> Value => new(_start + HeadBytes, ValueBytes);

    public int ValueBytes { get; }

    /// <summary>Gets the bytes before the value.</summary>
    public int HeadBytes => ValueOffset(Word, _keyBytes);

    public ulong Schema => At<ulong>(_start, SchemaOffset);

    public ulong Sequence => At<ulong>(_start, SequenceOffset);

    /// <summary>Gets the expiry word.</summary>
    public ref ulong Expiry => ref ExpiryOf(_start);

    /// <summary>Gets whether reads prolong the entry.</summary>
    public bool IsSliding => HasLatest && At<long>(_start, HeaderBytes + sizeof(long)) != 0;

    /// <summary>Gets whether the entry has tags.</summary>
    public bool HasTags => (Word & TagsFlag) != 0;

    private bool HasLatest => (Word & LatestFlag) != 0;

    // SAFETY: the expiry is inside the head, which callers have read or written.
    public static ref ulong ExpiryOf(byte* start) => ref At<ulong>(start, ExpiryOffset);

    /// <summary>Calculates the bytes of a record.</summary>
    public static long BytesOf(int keyBytes, long valueBytes, bool hasLatest, int tagBytes = 0)
    {
        var bytes = (hasLatest ? HeaderBytes + LatestBytes : HeaderBytes) + Padded(keyBytes) + (tagBytes == 0 ? valueBytes : Padded(valueBytes) + tagBytes);
        return (bytes + RecordWord.Alignment - 1) & -RecordWord.Alignment;
    }

    /// <summary>Reads a committed record.</summary>
    /// <param name="start">Its first byte, aligned.</param>
    /// <param name="remaining">Bytes from there to the end of the segment.</param>
    /// <param name="record">The record.</param>
    /// <returns>False when there is no such record, or its lengths are damaged.</returns>
    // SAFETY: the caller keeps the remaining bytes mapped. Every length is loaded once and compared with them.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryRead(byte* start, long remaining, out CacheRecord record)
    {
        Unsafe.SkipInit(out record);
        if (remaining < HeaderBytes)
        {
            return false;
        }

        Debug.Assert((nuint)start % sizeof(ulong) == 0, "The state word would not be read at once.");
        var word = Volatile.Read(ref *(ulong*)start);
        var keyBytes = *(uint*)(start + KeyBytesOffset);
        var valueBytes = *(uint*)(start + ValueBytesOffset);
        if (RecordWord.State(word) != RecordWord.Committed
            || !RecordWord.HasValidLength(word, remaining)
            || KeyOffset(word) + Padded(keyBytes) + valueBytes > RecordWord.Bytes(word))
        {
            return false;
        }

        record = new CacheRecord(start, word, (int)keyBytes, (int)valueBytes);
        return true;
    }

    /// <summary>Writes the head of a record: everything before the value but the sequence number, the checksum and the state.</summary>
    /// <param name="start">Its first byte.</param>
    /// <param name="word">The state word that it will have.</param>
    /// <param name="key">The key.</param>
    /// <param name="valueBytes">Bytes of the value.</param>
    /// <param name="schema">The fingerprint of the schema; 0 for bytes.</param>
    /// <param name="times">When it expires.</param>
    /// <returns>The offset of the value.</returns>
    // SAFETY: the caller has reserved the bytes that the word says, which BytesOf has calculated from the same lengths.
    public static int WriteHead(byte* start, ulong word, ReadOnlySpan<byte> key, int valueBytes, ulong schema, in ExpiryTimes times)
    {
        var valueOffset = ValueOffset(word, key.Length);
        Debug.Assert((long)valueOffset + valueBytes <= RecordWord.Bytes(word), "The value would end outside the reservation.");
        At<uint>(start, RecordWord.PayloadBytesOffset) = (uint)(valueOffset - CheckedOffset + valueBytes);
        ExpiryOf(start) = ExpiryWord.Compose(times.First);
        At<ulong>(start, SchemaOffset) = schema;
        At<int>(start, KeyBytesOffset) = key.Length;
        At<int>(start, ValueBytesOffset) = valueBytes;
        if (times.HasLatest)
        {
            At<long>(start, HeaderBytes) = times.Latest;
            At<long>(start, HeaderBytes + sizeof(long)) = times.Window;
        }

        key.CopyTo(new Span<byte>(start + KeyOffset(word), key.Length));
        return valueOffset;
    }

    /// <summary>Writes the tags after the room of the value, so that the checksum includes them.</summary>
    // SAFETY: BytesOf has calculated the reservation with the bytes of the tags; the value's padding is cleared, because the checksum covers it.
    public static void WriteTags(byte* start, ulong word, int valueEnd, ReadOnlySpan<byte> tags, ulong born)
    {
        var offset = (int)Padded(valueEnd);
        Debug.Assert((word & TagsFlag) != 0 && offset + tags.Length <= RecordWord.Bytes(word), "The tags would end outside the reservation.");
        new Span<byte>(start + valueEnd, offset - valueEnd).Clear();
        tags.CopyTo(new Span<byte>(start + offset, tags.Length));
        At<ulong>(start, offset) = born;
        At<uint>(start, RecordWord.PayloadBytesOffset) = (uint)(offset - CheckedOffset + tags.Length);
    }

    /// <summary>Calculates the expensive part of the checksum: over everything but the sequence number, which is not known yet.</summary>
    /// <param name="start">The record's first byte; everything else is written.</param>
    /// <param name="location">The record's location: a record found elsewhere does not match.</param>
    /// <param name="committed">The state word that it will have.</param>
    // SAFETY: WriteHead has written the length that is read, inside the reservation.
    public static uint Summarize(byte* start, long location, ulong committed) => RecordChecksum.Of(
        location, committed, new ReadOnlySpan<byte>(start + CheckedOffset, At<int>(start, RecordWord.PayloadBytesOffset)));

    /// <summary>Completes a record and commits it: from now on a walk over the segment finds it.</summary>
    /// <param name="start">Its first byte.</param>
    /// <param name="summary">The result of <see cref="Summarize"/>.</param>
    /// <param name="committed">The state word.</param>
    /// <param name="sequence">Its sequence number.</param>
    // SAFETY: all three words are inside the head of the caller's reservation.
    public static void Commit(byte* start, uint summary, ulong committed, ulong sequence)
    {
        Debug.Assert(RecordWord.State(At<ulong>(start, 0)) == RecordWord.Reserved, "Only a reservation is committed, and once.");
        At<ulong>(start, SequenceOffset) = sequence;
        At<uint>(start, ChecksumOffset) = BitOperations.Crc32C(summary, sequence);
        Volatile.Write(ref At<ulong>(start, 0), committed);
    }

    /// <summary>Compares the checksums of the record and its expiry.</summary>
    // SAFETY: the payload's length is compared with the lengths that TryRead has checked before it is used.
    public bool IsWhole(long location)
    {
        var payloadBytes = At<uint>(_start, RecordWord.PayloadBytesOffset);
        return (HasTags ? TryReadTags(out _) : payloadBytes == (uint)(HeadBytes - CheckedOffset + ValueBytes))
            && BitOperations.Crc32C(RecordChecksum.Of(location, Word, new ReadOnlySpan<byte>(_start + CheckedOffset, (int)payloadBytes)), Sequence) == At<uint>(_start, ChecksumOffset)
            && ExpiryWord.TryRead(Expiry, out _);
    }

    /// <summary>Reads the tags; false when their length is damaged.</summary>
    // SAFETY: the length is loaded once, and compared with the record's bytes, which TryRead has checked.
    public bool TryReadTags(out ReadOnlySpan<byte> block)
    {
        var offset = Padded(HeadBytes + ValueBytes);
        var end = CheckedOffset + (long)At<uint>(_start, RecordWord.PayloadBytesOffset);
        var isPossible = HasTags && end <= Bytes && TagBlock.IsPossible(end - offset);
        block = isPossible ? new ReadOnlySpan<byte>(_start + offset, (int)(end - offset)) : default;
        return isPossible;
    }

    /// <summary>Copies everything but the state word, which the destination has already.</summary>
    /// <returns>The expiry word that was copied.</returns>
    // SAFETY: the caller has reserved as many bytes as this record has.
    public ulong CopyTo(byte* destination)
    {
        Debug.Assert(RecordWord.Bytes(At<ulong>(destination, 0)) == Bytes, "The copy would end outside its reservation.");
        new ReadOnlySpan<byte>(_start + sizeof(ulong), (int)Bytes - sizeof(ulong)).CopyTo(new Span<byte>(destination + sizeof(ulong), (int)Bytes - sizeof(ulong)));
        var expiry = Volatile.Read(ref Expiry);
        ExpiryOf(destination) = expiry;
        return expiry;
    }

    /// <summary>Reads the times at which the record expires.</summary>
    public ExpiryTimes ReadTimes()
    {
        ExpiryWord.TryRead(Expiry, out var first);
        return HasLatest
            ? new ExpiryTimes(first, At<long>(_start, HeaderBytes), At<long>(_start, HeaderBytes + sizeof(long)))
            : ExpiryTimes.Fixed(first);
    }

    /// <summary>Says whether the record is expired. A damaged expiry is not: the record is corrupt.</summary>
    /// <param name="clock">The clock of expiry.</param>
    /// <param name="now">The time, if it had to be asked for; otherwise 0.</param>
    public bool IsExpired(TimeProvider clock, out long now)
    {
        now = 0;
        return ExpiryWord.TryRead(Volatile.Read(ref Expiry), out var expires)
            && expires != ExpiryTimes.Never
            && expires <= (now = ExpiryTimes.Now(clock));
    }

    /// <summary>Says whether the record is of no use any more: it is expired, and may not be served as a stale value either. A damaged expiry is not.</summary>
    public bool IsOver(TimeProvider clock) =>
        IsExpired(clock, out var now) && (!HasLatest || (ReadTimes().End is var end && end != ExpiryTimes.Never && end <= now));

    // SAFETY: callers pass an offset inside the head, which TryRead or the reservation bounds.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ref T At<T>(byte* start, int offset)
        where T : unmanaged
        => ref *(T*)(start + offset);

    private static int KeyOffset(ulong word) => (word & LatestFlag) == 0 ? HeaderBytes : HeaderBytes + LatestBytes;

    private static int ValueOffset(ulong word, int keyBytes) => KeyOffset(word) + (int)Padded(keyBytes);

    private static long Padded(long keyBytes) => (keyBytes + 7) & ~7;
}
