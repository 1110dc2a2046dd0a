using System.Diagnostics;
using BufferedMessages.Segments;

namespace BufferedMessages.Caching;

/// <summary>Room for a record that is being written. <see cref="SegmentPool.Finish"/> must be called for it.</summary>
internal struct Reservation
{
    // SAFETY: as the constructor says.
    private readonly unsafe byte* _start;
    private int _valueOffset;
    private int _valueBytes;

    /// <param name="start">Its first byte.</param>
    /// <param name="slot">The slot of its segment.</param>
    /// <param name="location">Its location.</param>
    /// <param name="word">The state word that the record will have.</param>
    /// <param name="lane">The lane that is given back by Finish, or <see cref="WriteLanes.None"/>.</param>
    // SAFETY: the pool has bounded the room by the segment, and does not recycle the segment before Finish.
    public unsafe Reservation(byte* start, int slot, long location, ulong word, int lane)
    {
        Debug.Assert((nuint)start % RecordWord.Alignment == 0, "Records are aligned.");
        _start = start;
        Slot = slot;
        Location = location;
        Word = word;
        Lane = lane;
    }

    public int Slot { get; }

    public long Location { get; }

    public ulong Word { get; }

    public int Lane { get; }

    /// <summary>Gets the hash of the key. <see cref="WriteHead"/> comes first.</summary>
    public ulong Hash { get; private set; }

    /// <summary>Gets the room of the value. <see cref="WriteHead"/> comes first.</summary>
    // SAFETY: WriteHead has checked that the value ends inside the room.
    public readonly unsafe Span<byte> Value => new(_start + _valueOffset, _valueBytes);

    /// <inheritdoc cref="CacheRecord.WriteHead" path="/summary"/>
    // SAFETY: the room has as many bytes as the word says.
    public unsafe void WriteHead(ReadOnlySpan<byte> key, ulong hash, int valueBytes, ulong schema, in ExpiryTimes times)
    {
        Hash = hash;
        _valueOffset = CacheRecord.WriteHead(_start, Word, key, valueBytes, schema, times);
        _valueBytes = valueBytes;
    }

    /// <summary>Writes the tags. <see cref="WriteHead"/> comes first.</summary>
    // SAFETY: the room was reserved with the bytes of the tags.
    public readonly unsafe void WriteTags(int keyBytes, ReadOnlySpan<byte> tags, ulong born) => CacheRecord.WriteTags(_start, Word, keyBytes, _valueBytes, tags, born);

    /// <inheritdoc cref="CacheRecord.Summarize" path="/summary"/>
    // SAFETY: head and value are written.
    public readonly unsafe uint Summarize() => CacheRecord.Summarize(_start, Word);

    /// <inheritdoc cref="CacheRecord.Commit" path="/summary"/>
    // SAFETY: the room holds at least a head.
    public readonly unsafe void Commit(uint summary, ulong sequence) => CacheRecord.Commit(_start, Location, summary, Word, sequence);

    /// <summary>Turns the room into padding, which a walk over the segment skips.</summary>
    // SAFETY: the room begins with its state word.
    public readonly unsafe void Abandon() => Volatile.Write(ref *(ulong*)_start, RecordWord.AsPadding(Word));

    /// <summary>Copies a record of as many bytes into the room, and returns its expiry word.</summary>
    // SAFETY: the room was reserved with the bytes of the record.
    public readonly unsafe ulong CopyFrom(CacheRecord record) => record.CopyTo(_start);

    /// <summary>
    /// Carries over the expiry of a record that was prolonged after it was copied and before the entry led to the copy. If the copy was prolonged too, that is the later time.
    /// </summary>
    // SAFETY: the expiry is in the head.
    public readonly unsafe ulong CarryExpiry(CacheRecord record, ulong copied)
    {
        var now = Volatile.Read(ref record.Expiry);
        if (now != copied)
        {
            Interlocked.CompareExchange(ref CacheRecord.ExpiryOf(_start), now, copied);
        }

        return now;
    }
}
