using System.Numerics;
using System.Runtime.CompilerServices;
using BufferedMessages.Segments;

namespace BufferedMessages.Caching;

/// <summary>
/// One entry in a segment. It is written once; only its expiry changes later. All lengths are loaded once, and checked against the segment.
/// <code>
///  0  u64 state word, see <see cref="RecordWord"/>     flags: bit 16 sliding · bit 17 removal
///  8  u32 bytes from offset 32 to the end of the value
/// 12  u32 checksum over everything but the expiry
/// 16  u64 sequence number: of two records of a key the larger one counts
/// 24  u64 expiry word
/// 32  u64 fingerprint of the message's schema; 0 for bytes
/// 40  u32 key bytes
/// 44  u32 value bytes
/// 48  u64 latest expiry, u64 window, if sliding
///     key, up to 7 bytes of padding, value
/// </code>
/// </summary>
internal readonly unsafe struct CacheRecord
{
    public const ulong SlidingFlag = 1UL << 16;
    public const ulong RemovalFlag = 1UL << 17;

    /// <summary>What a record takes besides its key and value, at most.</summary>
    public const int MaxOverheadBytes = HeaderBytes + SlidingBytes + 32;

    private const int ChecksumOffset = 12;
    private const int SequenceOffset = 16;
    private const int ExpiryOffset = 24;
    private const int CheckedOffset = 32;
    private const int SchemaOffset = 32;
    private const int KeyBytesOffset = 40;
    private const int ValueBytesOffset = 44;
    private const int HeaderBytes = 48;
    private const int SlidingBytes = 16;

    private readonly byte* _start;
    private readonly int _keyBytes;
    private readonly int _valueBytes;

    private CacheRecord(byte* start, ulong word, int keyBytes, int valueBytes)
    {
        _start = start;
        Word = word;
        _keyBytes = keyBytes;
        _valueBytes = valueBytes;
    }

    /// <summary>Its first byte.</summary>
    public byte* Start => _start;

    /// <summary>Its state word.</summary>
    public ulong Word { get; }

    /// <summary>Bytes of the record.</summary>
    public uint Bytes => RecordWord.Bytes(Word);

    /// <summary>It only says that the key was removed.</summary>
    public bool IsRemoval => (Word & RemovalFlag) != 0;

    public ReadOnlySpan<byte> Key => new(_start + KeyOffset(Word), _keyBytes);

    public byte* Value => _start + ValueOffset(Word, _keyBytes);

    public int ValueBytes => _valueBytes;

    public ulong Schema => *(ulong*)(_start + SchemaOffset);

    public ulong Sequence => *(ulong*)(_start + SequenceOffset);

    /// <summary>The expiry word.</summary>
    public ref ulong Expiry => ref ExpiryOf(_start);

    /// <summary>Reads keep it alive.</summary>
    public bool IsSliding => (Word & SlidingFlag) != 0;

    /// <summary>The expiry word of a record.</summary>
    public static ref ulong ExpiryOf(byte* start) => ref *(ulong*)(start + ExpiryOffset);

    /// <summary>Bytes of a record.</summary>
    public static long BytesOf(int keyBytes, long valueBytes, bool isSliding)
    {
        var bytes = (isSliding ? HeaderBytes + SlidingBytes : HeaderBytes) + Padded(keyBytes) + valueBytes;
        return (bytes + RecordWord.Alignment - 1) & -RecordWord.Alignment;
    }

    /// <summary>Reads a committed record.</summary>
    /// <param name="start">Its first byte, aligned.</param>
    /// <param name="remaining">Bytes from there to the end of the segment.</param>
    /// <param name="record">The record.</param>
    /// <returns>False when there is none, or one that cannot be.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryRead(byte* start, long remaining, out CacheRecord record)
    {
        Unsafe.SkipInit(out record);
        if (remaining < HeaderBytes)
        {
            return false;
        }

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

    /// <summary>Writes all of a record but the value, the sequence number, the checksum, and the state.</summary>
    /// <param name="start">Its first byte.</param>
    /// <param name="word">The word of the reservation.</param>
    /// <param name="key">The key.</param>
    /// <param name="valueBytes">Bytes of the value.</param>
    /// <param name="schema">The fingerprint of the schema; 0 for bytes.</param>
    /// <param name="times">When it expires.</param>
    /// <returns>Where the value goes.</returns>
    public static byte* WriteHead(byte* start, ulong word, ReadOnlySpan<byte> key, int valueBytes, ulong schema, in ExpiryTimes times)
    {
        var valueOffset = ValueOffset(word, key.Length);
        *(uint*)(start + RecordWord.PayloadBytesOffset) = (uint)(valueOffset - CheckedOffset + valueBytes);
        *(ulong*)(start + ExpiryOffset) = ExpiryWord.Compose(times.First);
        *(ulong*)(start + SchemaOffset) = schema;
        *(int*)(start + KeyBytesOffset) = key.Length;
        *(int*)(start + ValueBytesOffset) = valueBytes;
        if (times.IsSliding)
        {
            *(long*)(start + HeaderBytes) = times.Latest;
            *(long*)(start + HeaderBytes + sizeof(long)) = times.Window;
        }

        key.CopyTo(new Span<byte>(start + KeyOffset(word), key.Length));
        return start + valueOffset;
    }

    /// <summary>The part of the checksum that takes time: everything but the sequence number, which is not known yet.</summary>
    /// <param name="start">The record's first byte; everything else is written.</param>
    /// <param name="location">Where it is, so that a record elsewhere is not taken for it.</param>
    /// <param name="committed">The state word that it will have.</param>
    public static uint Summarize(byte* start, long location, ulong committed) => RecordChecksum.Of(
        location, committed, new ReadOnlySpan<byte>(start + CheckedOffset, *(int*)(start + RecordWord.PayloadBytesOffset)));

    /// <summary>Completes a record and makes it visible to whoever walks over the segment.</summary>
    /// <param name="start">Its first byte.</param>
    /// <param name="summary">What <see cref="Summarize"/> gave.</param>
    /// <param name="committed">The state word.</param>
    /// <param name="sequence">Its sequence number.</param>
    public static void Commit(byte* start, uint summary, ulong committed, ulong sequence)
    {
        *(ulong*)(start + SequenceOffset) = sequence;
        *(uint*)(start + ChecksumOffset) = BitOperations.Crc32C(summary, sequence);
        Volatile.Write(ref *(ulong*)start, committed);
    }

    /// <summary>The record is as it was written.</summary>
    public bool IsWhole(long location)
    {
        var payloadBytes = *(uint*)(_start + RecordWord.PayloadBytesOffset);
        return payloadBytes == (uint)(ValueOffset(Word, _keyBytes) - CheckedOffset + _valueBytes)
            && BitOperations.Crc32C(RecordChecksum.Of(location, Word, new ReadOnlySpan<byte>(_start + CheckedOffset, (int)payloadBytes)), Sequence) == *(uint*)(_start + ChecksumOffset)
            && ExpiryWord.TryRead(Expiry, out _);
    }

    /// <summary>Copies everything but the state word, which the destination has already.</summary>
    /// <returns>The expiry word that was copied.</returns>
    public ulong CopyTo(byte* destination)
    {
        new ReadOnlySpan<byte>(_start + sizeof(ulong), (int)Bytes - sizeof(ulong)).CopyTo(new Span<byte>(destination + sizeof(ulong), (int)Bytes - sizeof(ulong)));
        var expiry = Volatile.Read(ref Expiry);
        ExpiryOf(destination) = expiry;
        return expiry;
    }

    /// <summary>How the record expires.</summary>
    public ExpiryTimes ReadTimes()
    {
        ExpiryWord.TryRead(Expiry, out var first);
        return IsSliding
            ? new ExpiryTimes(first, *(long*)(_start + HeaderBytes), *(long*)(_start + HeaderBytes + sizeof(long)))
            : ExpiryTimes.Fixed(first);
    }

    private static int KeyOffset(ulong word) => (word & SlidingFlag) == 0 ? HeaderBytes : HeaderBytes + SlidingBytes;

    private static int ValueOffset(ulong word, int keyBytes) => KeyOffset(word) + (int)Padded(keyBytes);

    private static long Padded(long keyBytes) => (keyBytes + 7) & ~7;
}
