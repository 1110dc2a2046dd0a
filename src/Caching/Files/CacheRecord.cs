using System.Diagnostics;
using System.Numerics;
using System.Runtime.CompilerServices;
using BufferedMessages.Segments;

namespace BufferedMessages.Caching;

/// <summary>
/// One entry in a segment. It is written once; only its expiry changes later. All lengths are loaded once, and checked against the segment.
/// <code>
///  0  u64 state word, see <see cref="RecordWord"/>, with flags: bit 16 latest expiry, bit 17 tags, bit 18 schema
///  8  u32 unused bytes at the end, 0-15, in bits 0-3; key bytes in bits 4-31
/// 12  u32 checksum over everything but the expiry: that of the content and that of the place, combined by exclusive or
/// 16  u64 sequence number: of two records of a key the one with the larger number wins
/// 24  u64 expiry word
/// 32  u64 fingerprint of the message's schema, with bit 18
///     u64 latest expiry, u64 window, with bit 16
///     u64 value bytes, with bit 17
///     key, up to 7 bytes of padding, value
///     up to 7 bytes of padding, tags, see <see cref="TagBlock"/>, with bit 17
/// </code>
/// </summary>
internal readonly unsafe struct CacheRecord
{
    /// <summary>The bytes of a record that are loaded ahead. Of a longer one, the processor notices by itself that its bytes are read one after the other.</summary>
    public const int MostPrefetched = 1280;

    public const ulong LatestFlag = 1UL << LatestBit;
    public const ulong TagsFlag = 1UL << TagsBit;
    public const ulong SchemaFlag = 1UL << SchemaBit;
    public const ulong Flags = LatestFlag | TagsFlag | SchemaFlag;

    /// <summary>The most bytes that a record takes besides its key, value and tags.</summary>
    public const int MaxOverheadBytes = HeaderBytes + (4 * sizeof(ulong)) + 32;

    /// <summary>The most bytes of a key.</summary>
    public const int MaxKeyBytes = (1 << (32 - KeyBytesShift)) - 1;

    /// <summary>The fewest bytes of a record.</summary>
    public const int LeastBytes = HeaderBytes;

    private const int LatestBit = 16;
    private const int TagsBit = 17;
    private const int SchemaBit = 18;
    private const int LengthsOffset = 8;
    private const int KeyBytesShift = 4;
    private const uint UnusedMask = (1 << KeyBytesShift) - 1;
    private const int ChecksumOffset = 12;
    private const int SequenceOffset = 16;
    private const int ExpiryOffset = 24;
    private const int HeaderBytes = 32;

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
    public int HeadBytes => (int)ValueOffset(Word, _keyBytes);

    /// <summary>Gets the fingerprint of the schema; 0 for bytes.</summary>
    public ulong Schema => (Word & SchemaFlag) == 0 ? 0 : At<ulong>(_start, HeaderBytes);

    public ulong Sequence => At<ulong>(_start, SequenceOffset);

    /// <summary>Gets the expiry word.</summary>
    public ref ulong Expiry => ref ExpiryOf(_start);

    /// <summary>Gets whether reads prolong the entry.</summary>
    public bool IsSliding => HasLatest && At<long>(_start, LatestOffset(Word) + sizeof(long)) != 0;

    /// <summary>Gets whether the entry has tags.</summary>
    public bool HasTags => (Word & TagsFlag) != 0;

    private bool HasLatest => (Word & LatestFlag) != 0;

    // SAFETY: the expiry is inside the head, which callers have read or written.
    public static ref ulong ExpiryOf(byte* start) => ref At<ulong>(start, ExpiryOffset);

    /// <summary>Calculates the flags of a record's state word.</summary>
    public static ulong FlagsOf(ulong schema, in ExpiryTimes times, bool hasTags) =>
        (times.HasLatest ? LatestFlag : 0) | (hasTags ? TagsFlag : 0) | (schema == 0 ? 0 : SchemaFlag);

    /// <summary>Calculates the bytes of a record.</summary>
    public static long BytesOf(int keyBytes, long valueBytes, ulong flags = 0, int tagBytes = 0)
    {
        var bytes = ValueOffset(flags, keyBytes) + (tagBytes == 0 ? valueBytes : Padded(valueBytes) + tagBytes);
        return (bytes + RecordWord.Alignment - 1) & -RecordWord.Alignment;
    }

    /// <summary>Reads a committed record.</summary>
    /// <param name="start">Its first byte, aligned.</param>
    /// <param name="remaining">Bytes from there to the end of the segment, of the staged chunk or of the copy.</param>
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
        var lengths = *(uint*)(start + LengthsOffset);
        var keyBytes = (int)(lengths >> KeyBytesShift);
        var room = EndOf(word, lengths) - ValueOffset(word, keyBytes);
        if (RecordWord.State(word) != RecordWord.Committed || !RecordWord.HasValidLength(word, remaining) || room < 0)
        {
            return false;
        }

        // Tags come after the value.
        var valueBytes = (word & TagsFlag) == 0 ? (ulong)room : At<ulong>(start, ValueBytesOffset(word));
        if (valueBytes > (ulong)room)
        {
            return false;
        }

        record = new CacheRecord(start, word, keyBytes, (int)valueBytes);
        return true;
    }

    /// <summary>Writes the head of a record: everything before the value but the sequence number, the checksum and the state. If it has tags, <see cref="WriteTags"/> comes next.</summary>
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
        var valueOffset = (int)ValueOffset(word, key.Length);
        Debug.Assert(key.Length <= MaxKeyBytes && (long)valueOffset + valueBytes <= RecordWord.Bytes(word), "The value would end outside the reservation.");
        if ((word & TagsFlag) == 0)
        {
            SetLengths(start, word, key.Length, valueOffset + valueBytes);
        }

        ExpiryOf(start) = ExpiryWord.Compose(times.First);
        if ((word & SchemaFlag) != 0)
        {
            At<ulong>(start, HeaderBytes) = schema;
        }

        if (times.HasLatest)
        {
            At<long>(start, LatestOffset(word)) = times.Latest;
            At<long>(start, LatestOffset(word) + sizeof(long)) = times.Window;
        }

        key.CopyTo(new Span<byte>(start + KeyOffset(word), key.Length));
        return valueOffset;
    }

    /// <summary>Writes the tags after the room of the value, so that the checksum includes them.</summary>
    /// <param name="start">The record's first byte.</param>
    /// <param name="word">The state word that it will have.</param>
    /// <param name="keyBytes">Bytes of the key.</param>
    /// <param name="valueBytes">Bytes of the value.</param>
    /// <param name="tags">The tags.</param>
    /// <param name="born">The number of the tags' clock.</param>
    // SAFETY: BytesOf has calculated the reservation with the bytes of the tags; the value's padding is cleared, because the checksum covers it.
    public static void WriteTags(byte* start, ulong word, int keyBytes, int valueBytes, ReadOnlySpan<byte> tags, ulong born)
    {
        var valueEnd = (int)ValueOffset(word, keyBytes) + valueBytes;
        var offset = (int)Padded(valueEnd);
        Debug.Assert((word & TagsFlag) != 0 && offset + tags.Length <= RecordWord.Bytes(word), "The tags would end outside the reservation.");
        new Span<byte>(start + valueEnd, offset - valueEnd).Clear();
        tags.CopyTo(new Span<byte>(start + offset, tags.Length));
        At<ulong>(start, offset) = born;
        At<ulong>(start, ValueBytesOffset(word)) = (ulong)valueBytes;
        SetLengths(start, word, keyBytes, offset + tags.Length);
    }

    /// <summary>Calculates the checksum of the content: everything but location, sequence number and expiry.</summary>
    /// <param name="start">The record's first byte; all of the content is written.</param>
    /// <param name="committed">The state word that it will have.</param>
    // SAFETY: the lengths are loaded once, and the end is inside the record, whose bytes the state word says.
    public static uint Summarize(byte* start, ulong committed)
    {
        var lengths = At<uint>(start, LengthsOffset);
        var checkedBytes = (int)Math.Max(EndOf(committed, lengths) - HeaderBytes, 0);
        var crc = BitOperations.Crc32C(BitOperations.Crc32C(Crc32C.Start, committed), lengths);
        return ~Crc32C.Append(crc, new ReadOnlySpan<byte>(start + HeaderBytes, checkedBytes));
    }

    /// <summary>Completes a record and commits it: from now on a walk over the segment finds it.</summary>
    /// <param name="start">Its first byte.</param>
    /// <param name="location">Its location: a record found elsewhere does not match its checksum.</param>
    /// <param name="content">The checksum of its content.</param>
    /// <param name="committed">The state word.</param>
    /// <param name="sequence">Its sequence number.</param>
    // SAFETY: all three words are inside the head of the caller's reservation.
    public static void Commit(byte* start, long location, uint content, ulong committed, ulong sequence)
    {
        Debug.Assert(RecordWord.State(At<ulong>(start, 0)) == RecordWord.Reserved, "Only a reservation is committed, and once.");
        At<ulong>(start, SequenceOffset) = sequence;
        At<uint>(start, ChecksumOffset) = content ^ ChecksumOfPlace(location, sequence);
        Volatile.Write(ref At<ulong>(start, 0), committed);
    }

    /// <summary>Compares the checksums of the record and its expiry.</summary>
    public bool IsWhole(long location) =>
        (!HasTags || TryReadTags(out _))
        && Summarize(_start, Word) == ReadSummary(location)
        && ExpiryWord.TryRead(Expiry, out _);

    /// <summary>Gets the checksum of the content from the stored one, without a pass over the content. That of a damaged record is wrong, and so are those of its copies.</summary>
    /// <param name="location">The record's location.</param>
    public uint ReadSummary(long location) => At<uint>(_start, ChecksumOffset) ^ ChecksumOfPlace(location, Sequence);

    /// <summary>Reads the tags; false when their length is damaged.</summary>
    // SAFETY: the end is loaded once, and is inside the record, whose bytes TryRead has checked.
    public bool TryReadTags(out ReadOnlySpan<byte> block)
    {
        var offset = Padded(HeadBytes + ValueBytes);
        var end = EndOf(Word, At<uint>(_start, LengthsOffset));
        var isPossible = HasTags && TagBlock.IsPossible(end - offset);
        block = isPossible ? new ReadOnlySpan<byte>(_start + offset, (int)(end - offset)) : default;
        return isPossible;
    }

    /// <summary>Begins to load the record into the processor's cache.</summary>
    public void Prefetch() => Prefetch(_start, Bytes);

    /// <summary>Begins to load a record, or the first part of a long one, into the processor's cache.</summary>
    // SAFETY: a prefetch of memory that is not mapped does nothing.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Prefetch(byte* start, uint bytes) => ProcessorCache.Prefetch(start, (int)Math.Min(bytes, (uint)MostPrefetched));

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
            ? new ExpiryTimes(first, At<long>(_start, LatestOffset(Word)), At<long>(_start, LatestOffset(Word) + sizeof(long)))
            : ExpiryTimes.Fixed(first);
    }

    /// <summary>Determines whether the record is expired. A damaged expiry is not: the record is corrupt.</summary>
    /// <param name="clock">The clock of expiry.</param>
    /// <param name="now">The time, if it had to be asked for; otherwise 0.</param>
    public bool IsExpired(TimeProvider clock, out long now)
    {
        now = 0;
        return ExpiryWord.TryRead(Volatile.Read(ref Expiry), out var expires)
            && expires != ExpiryTimes.Never
            && expires <= (now = ExpiryTimes.Now(clock));
    }

    /// <summary>Determines whether the record is no longer of use: it is expired, and may not be served as a stale value either. A damaged expiry is not.</summary>
    public bool IsOver(TimeProvider clock) =>
        IsExpired(clock, out var now) && (!HasLatest || (ReadTimes().End is var end && end != ExpiryTimes.Never && end <= now));

    // SAFETY: callers pass an offset inside the head, which TryRead or the reservation bounds.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ref T At<T>(byte* start, int offset)
        where T : unmanaged
        => ref *(T*)(start + offset);

    private static uint ChecksumOfPlace(long location, ulong sequence) => BitOperations.Crc32C(BitOperations.Crc32C(Crc32C.Start, (ulong)location), sequence);

    // SAFETY: the length is in the head.
    private static void SetLengths(byte* start, ulong word, int keyBytes, int end)
    {
        Debug.Assert((uint)RecordWord.Bytes(word) - (uint)end <= UnusedMask, "A record is only rounded up.");
        At<uint>(start, LengthsOffset) = ((uint)keyBytes << KeyBytesShift) | (RecordWord.Bytes(word) - (uint)end);
    }

    // The end of the value, or of the tags.
    private static long EndOf(ulong word, uint lengths) => RecordWord.Bytes(word) - (lengths & UnusedMask);

    private static int LatestOffset(ulong word) => HeaderBytes + (FlagOf(word, SchemaBit) * sizeof(ulong));

    private static int ValueBytesOffset(ulong word) => LatestOffset(word) + (FlagOf(word, LatestBit) * 2 * sizeof(ulong));

    // Branches are predicted, so the processor loads the key before it has the word.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int KeyOffset(ulong word) => (word & Flags) switch
    {
        0 => HeaderBytes,
        SchemaFlag => HeaderBytes + sizeof(ulong),
        _ => FlaggedKeyOffset(word),
    };

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int FlaggedKeyOffset(ulong word) => ValueBytesOffset(word) + (FlagOf(word, TagsBit) * sizeof(ulong));

    private static long ValueOffset(ulong word, int keyBytes) => KeyOffset(word) + Padded(keyBytes);

    private static int FlagOf(ulong word, int bit) => (int)(word >> bit) & 1;

    private static long Padded(long keyBytes) => (keyBytes + 7) & ~7;
}
