using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>
/// The segments of a queue. A segment has a number, its position divided by the segment size. It is opened once, by
/// a producer, read while it is open, and later reused or deleted. Shared by all participants of a queue handle; thread-safe.
/// </summary>
internal abstract class SegmentStore(ControlMap control, QueueEvents events) : IDisposable
{
    /// <summary>The number of the oldest segment in the queue.</summary>
    public abstract long First { get; }

    /// <summary>The number of segments that have been opened: the number of the newest, plus one.</summary>
    public abstract long Count { get; }

    /// <summary>The queue's control map.</summary>
    public ControlMap Control { get; } = control;

    /// <summary>The events of the queue handle.</summary>
    public QueueEvents Events { get; } = events;

    /// <summary>The store of a queue's mode.</summary>
    public static SegmentStore For(ControlMap control, QueueEvents events) =>
        control.Mode == QueueMode.Bounded ? new RingSegments(control, events) : new FileSegments(control, events);

    /// <summary>The file that holds a position, for exception messages.</summary>
    public abstract string PathOf(long position);

    /// <summary>Whether the segment can be read.</summary>
    public abstract bool IsOpen(long segment);

    /// <summary>Maps a segment that is open.</summary>
    /// <exception cref="QueueCorruptedException">It is missing, or does not have the length of a segment.</exception>
    public abstract Segment Map(long segment);

    /// <summary>The number of the newest segment, for a caller that would look again if it were not open; -1 if there is none.</summary>
    /// <exception cref="QueueCorruptedException">It is before the oldest one, so that it will never be open.</exception>
    public long RequireNewest()
    {
        // The oldest is read first: both numbers only grow, and the newest segment is never deleted.
        var first = First;
        var newest = Count - 1;
        return (newest >= first || (newest == -1 && first == 0)) && newest <= long.MaxValue / Control.SegmentBytes
            ? newest
            : throw new QueueCorruptedException(Control.Path, Control.OffsetOf(ref Control.Header.OpenSegments), $"the queue cannot have the segments from {first} to {newest}");
    }

    /// <summary>Whether a record can be at a position. The end of the newest segment is the beginning of one that is not open yet, and may have been opened in the meantime.</summary>
    public bool MayHaveRecord(long position) => position >= 0 && position % RecordWord.Alignment == 0 && position / Control.SegmentBytes <= Count;

    /// <summary>Opens the segment after the newest one, unless another producer has done so.</summary>
    /// <param name="segment">Its number.</param>
    /// <param name="opener">The producer's slot and its probe, which remembers earlier tries.</param>
    /// <returns>False if there is no room for it yet.</returns>
    /// <exception cref="DiskFullException">The disk has no room for it.</exception>
    public abstract bool TryOpen(long segment, SegmentOpener opener);

    /// <summary>
    /// Runs an action while a segment is open and cannot be reused or deleted. The first segment of a queue in which none was opened yet
    /// counts as open. The caller holds the membership lock.
    /// </summary>
    /// <returns>False if it is not open, or if a producer is currently reusing it.</returns>
    public abstract bool TryHold(long segment, Action action);

    /// <summary>Records in the control map that the files of the segments are lost, if they are.</summary>
    public abstract void NoteLoss();

    /// <summary>Requires the control file to be the one that is mapped, and all files that stay mapped as long as the queue is open to have the length with which they were mapped.</summary>
    /// <exception cref="StaleQueueException">They were deleted, replaced or truncated.</exception>
    public virtual void RequireFiles() => Control.RequireFile();

    /// <summary>Ends the background work for a producer that closes.</summary>
    public virtual void Leave(int slot)
    {
    }

    /// <summary>The slots of the producers that are making a segment now, or died while they made one.</summary>
    public virtual IReadOnlyList<int> UnfinishedSlots() => [];

    /// <summary>Deletes the temporary files of a dead producer: of a segment that it was preparing or creating, or had just created.</summary>
    public virtual void DeleteUnfinished(int slot)
    {
    }

    public abstract void Dispose();

    /// <summary>Walks over the records of an open segment from its start, including reserved ones, to the first free position, or to the first record that starts at or after the limit.</summary>
    public long FindClaimedEnd(long segment, long limit)
    {
        using var mapped = Map(segment);
        return Walk(mapped, mapped.Position, limit, RecordWord.Free);
    }

    /// <summary>Finds the last message of an open segment that ends at a position or before it.</summary>
    /// <param name="segment">The segment's number.</param>
    /// <param name="limit">The position.</param>
    /// <param name="end">The position after the message.</param>
    /// <returns>False if the segment has none, or is deleted or reused.</returns>
    public bool TryFindLastMessage(long segment, long limit, out long end)
    {
        end = 0;
        try
        {
            using var mapped = Map(segment);
            var position = mapped.Position;
            var last = Math.Min(limit, position + Control.SegmentBytes);
            while (position < last && Walk(mapped, position, position + 1, RecordWord.Reserved) is var next && next != position)
            {
                if (next <= limit && RecordWord.State(Volatile.Read(ref mapped.Word(position))) == RecordWord.Committed)
                {
                    end = next;
                }

                position = next;
            }
        }
        catch (Exception exception) when (exception is MessagesDeletedException || (exception is QueueCorruptedException && !IsOpen(segment)))
        {
            return false;
        }

        // The walk may have encountered records of a later segment in the same slot.
        return end != 0 && IsOpen(segment);
    }

    /// <summary>Walks over the records of a mapped segment from a record's position, to the first that is not finished.</summary>
    public long FindEndFrom(in Segment segment, long position) => Walk(segment, position, segment.Position + Control.SegmentBytes, RecordWord.Reserved);

    // Stops at a free word, and at a reservation if that is the last state to stop at.
    private long Walk(in Segment segment, long position, long limit, ulong lastStop)
    {
        var end = segment.Position + Control.SegmentBytes;
        while (position < Math.Min(limit, end))
        {
            var word = Volatile.Read(ref segment.Word(position));
            if (RecordWord.State(word) is var state && (state <= lastStop || state > RecordWord.Padding))
            {
                RequireUnfinished(segment, position, word);
                return position;
            }

            if (!RecordWord.HasValidLength(word, end - position))
            {
                ThrowCorrupted(segment, position, word);
            }

            position += RecordWord.Bytes(word);
        }

        return position;
    }

    /// <summary>Turns a reserved record into padding. Its owner is dead, and only the caller acts for it.</summary>
    /// <returns>False if the word has changed.</returns>
    // SAFETY: The segment is mapped, and At checks the position; a sealed header lies in the same 16 bytes.
    public unsafe bool TryPadReservation(in Segment segment, long position, ulong word)
    {
        Debug.Assert(RecordWord.State(word) == RecordWord.Reserved, "Only a reservation becomes padding.");
        var record = segment.At(position);
        if (Volatile.Read(ref *(ulong*)record) != word)
        {
            // Its owner published it before it died, so its header must stay.
            return false;
        }

        var padding = RecordWord.AsPadding(word);
        if (Control.HasChecksums)
        {
            RecordChecksum.SealPadding(record, position, padding);
        }

        if (Interlocked.CompareExchange(ref *(ulong*)record, padding, word) != word)
        {
            return false;
        }

        NoteDiscardedClaim(position, word);
        return true;
    }

    // The slot may have another owner by now, which has another last claim.
    private void NoteDiscardedClaim(long position, ulong word)
    {
        if (Events.AreHeard)
        {
            ref var owner = ref Control.Participant(RecordWord.Owner(word));
            Events.NoteDiscardedClaim(position, RecordWord.Bytes(word), owner.LastClaim == position ? owner.ProcessId : null);
        }
    }

    /// <summary>Turns the reserved record on which a caller is blocked into padding, once its owner is found dead.</summary>
    /// <param name="segment">The record's segment.</param>
    /// <param name="position">The record's position.</param>
    /// <param name="word">Its state word.</param>
    /// <param name="probe">The caller's.</param>
    /// <returns>True if the record should be looked at again.</returns>
    public bool TryResolve(in Segment segment, long position, ulong word, LivenessProbe probe)
    {
        using var dead = probe.TryConfirmDead(RecordWord.Owner(word), position, word);
        if (dead is null)
        {
            return false;
        }

        FaultPoints.Hit(FaultPoint.DeathFound);
        TryPadReservation(segment, position, word);
        FaultPoints.Hit(FaultPoint.DeathResolved);
        WakeSignal.ForRecords(Control).WakeAll();
        return true;
    }

    /// <summary>Requires a word that is neither committed nor padding to be free, or a possible reservation.</summary>
    public void RequireUnfinished(in Segment segment, long position, ulong word)
    {
        var remaining = segment.Position + Control.SegmentBytes - position;
        var isFine = word == segment.FreeWord
            || (RecordWord.State(word) == RecordWord.Reserved && RecordWord.HasValidLength(word, remaining)
                && RecordWord.Owner(word) is > ParticipantSlot.MembershipLock and < ParticipantSlot.Count);
        if (!isFine)
        {
            ThrowCorrupted(segment, position, word);
        }
    }

    /// <summary>Requires a committed record with a valid length to be as it was published, as far as that can be checked.</summary>
    /// <returns>Bytes of its payload.</returns>
    /// <exception cref="QueueCorruptedException">It is damaged.</exception>
    /// <exception cref="NotSupportedException">It needs a feature of a newer version.</exception>
    // SAFETY: The caller got the record from a mapped segment and has checked that its length ends within it.
    public unsafe int RequireWhole(byte* record, long position, uint bytes)
    {
        var payloadBytes = RequirePayload(record, position, bytes);
        if (Control.HasChecksums)
        {
            RequireChecksums(record, position, bytes, payloadBytes);
        }

        return payloadBytes;
    }

    /// <summary>Requires a committed record with a valid length to have a payload of a possible length. Its checksums are not compared.</summary>
    /// <inheritdoc cref="RequireWhole"/>
    // SAFETY: The caller got the record from a mapped segment, and has checked its length; only its header is read.
    public unsafe int RequirePayload(byte* record, long position, uint bytes)
    {
        Debug.Assert(bytes >= RecordWord.HeaderBytes && bytes % RecordWord.Alignment == 0, "The length of the record is checked.");
        var word = *(ulong*)record;
        if (!RecordWord.IsReadable(word))
        {
            throw NewerFormat.OfContent(PathOf(position), $"a record at position {position} with the state word 0x{word:X16}");
        }

        var payloadBytes = *(uint*)(record + RecordWord.PayloadBytesOffset);
        if (payloadBytes > bytes - RecordWord.HeaderBytes)
        {
            throw new QueueCorruptedException(PathOf(position), position, $"a record of {bytes} bytes claims a payload of {payloadBytes}");
        }

        return (int)payloadBytes;
    }

    /// <summary>Requires a committed record of a queue with checksums to have those that it was published with.</summary>
    /// <exception cref="QueueCorruptedException">The checksums differ.</exception>
    // SAFETY: The caller got the record from a mapped segment, and has checked its length, and that the payload ends within it.
    private unsafe void RequireChecksums(byte* record, long position, uint bytes, int payloadBytes)
    {
        var word = *(ulong*)record;
        var payload = new ReadOnlySpan<byte>(record + RecordWord.HeaderBytes, payloadBytes);
        if (RecordChecksum.Of(position, word, payload) != *(uint*)(record + RecordWord.PayloadBytesOffset + sizeof(uint)))
        {
            throw new QueueCorruptedException(PathOf(position), position, "the record does not have the checksum that it was published with");
        }

        RequireProperties(record, position, bytes, payloadBytes);
    }

    /// <summary>Requires the properties of a committed record, if it has some, to be those that it was published with.</summary>
    /// <exception cref="QueueCorruptedException">The properties differ.</exception>
    // SAFETY: As for the checksums.
    public unsafe void RequireProperties(byte* record, long position, uint bytes, int payloadBytes)
    {
        if (!PropertyBlock.IsWhole(*(ulong*)record, RestOf(record, bytes, (uint)payloadBytes), position))
        {
            throw new QueueCorruptedException(PathOf(position), position, "the record's properties do not have the checksum that they were published with");
        }
    }

    /// <summary>Requires padding of a valid length to be as it was written, as far as that can be checked.</summary>
    /// <param name="record">Its first byte.</param>
    /// <param name="position">Its position.</param>
    /// <param name="word">Its state word.</param>
    /// <param name="remaining">Bytes from the record to the end of its segment.</param>
    /// <exception cref="QueueCorruptedException">It is damaged.</exception>
    // SAFETY: The caller got the record from a mapped segment; the length is checked against the remaining bytes.
    public unsafe void RequirePadding(byte* record, long position, ulong word, long remaining)
    {
        if (Control.HasChecksums && !RecordChecksum.IsWhole(record, position, word, *(ulong*)(record + RecordWord.PayloadBytesOffset), remaining))
        {
            throw new QueueCorruptedException(PathOf(position), position, "the padding does not have the checksum that it was written with");
        }
    }

    /// <summary>The bytes of a record after its payload.</summary>
    // SAFETY: The caller has checked that the record lies within its segment, and the payload within the record.
    public static unsafe ReadOnlySpan<byte> RestOf(byte* record, uint bytes, uint payloadBytes) =>
        new(record + RecordWord.HeaderBytes + payloadBytes, (int)(bytes - RecordWord.HeaderBytes - payloadBytes));

    /// <summary>Whether a record is finished and, as far as that can be checked, as it was written. Never throws: the bytes may be anything.</summary>
    /// <param name="record">Its first byte.</param>
    /// <param name="position">Its position.</param>
    /// <param name="remaining">Bytes from the record to the end of its segment.</param>
    /// <param name="bytes">Its length.</param>
    // SAFETY: The caller got the record from a mapped segment; the length is checked against the remaining bytes before it is used.
    public unsafe bool IsWhole(byte* record, long position, long remaining, out uint bytes)
    {
        Debug.Assert(remaining >= RecordWord.HeaderBytes, "There is room for a header.");
        var word = *(ulong*)record;
        bytes = RecordWord.Bytes(word);
        if (RecordWord.State(word) is not (RecordWord.Committed or RecordWord.Padding) || !RecordWord.HasValidLength(word, remaining))
        {
            return false;
        }

        var header = *(ulong*)(record + RecordWord.PayloadBytesOffset);
        var payloadBytes = (uint)header;
        if (!Control.HasChecksums)
        {
            return RecordWord.State(word) == RecordWord.Padding || payloadBytes <= bytes - RecordWord.HeaderBytes;
        }

        return RecordChecksum.IsWhole(record, position, word, header, remaining)
            && (RecordWord.State(word) == RecordWord.Padding || PropertyBlock.IsWhole(word, RestOf(record, bytes, payloadBytes), position));
    }

    /// <summary>
    /// Finds the end of the record at a position, or of the batch that it begins, if all of it is finished and, as far as that can be checked, as it was written.
    /// Never throws: the bytes may be anything.
    /// </summary>
    /// <param name="segment">The segment.</param>
    /// <param name="position">The position.</param>
    /// <param name="end">The end.</param>
    // SAFETY: The segment is mapped, and At and IsWhole check each position and length.
    public unsafe bool TryFindWholeEnd(in Segment segment, long position, out long end)
    {
        end = position;
        var segmentEnd = segment.Position + Control.SegmentBytes;
        while (end < segmentEnd && IsWhole(segment.At(end), end, segmentEnd - end, out var bytes))
        {
            var isContinued = RecordWord.IsContinuedMessage(*(ulong*)segment.At(end));
            end += bytes;
            if (!isContinued)
            {
                return true;
            }
        }

        return false;
    }

    [DoesNotReturn]
    public static void ThrowCorrupted(in Segment segment, long position, ulong word) => throw new QueueCorruptedException(
        segment.File.Path, position, $"the record's state word 0x{word.ToString("X16", CultureInfo.InvariantCulture)} is impossible");
}
