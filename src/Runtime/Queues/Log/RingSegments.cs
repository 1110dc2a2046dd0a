using System.Diagnostics;
using System.Runtime.CompilerServices;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>
/// The slots of a bounded queue, all in one file, each reused for one segment after another. A slot is filled anew for each lap with the free
/// word of that lap. A producer that slept through a lap expects a word that no longer exists, so its compare-and-swap fails.
/// </summary>
internal sealed class RingSegments(ControlMap control, QueueEvents events) : SegmentStore(control, events)
{
    public const string FileName = "ring";

    private readonly Lock _mapping = new();
    private MappedFile? _file;

    public override long First
    {
        get
        {
            // A segment is gone once a producer prepares its slot for a later one, or was preparing it when it died.
            var count = Count;
            var oldest = Math.Max(count - Control.Slots, 0);
            return count > 0 && !IsOpen(oldest) ? oldest + 1 : oldest;
        }
    }

    public override long Count
    {
        get
        {
            // The newest segment is open: its slot is reused only after others were opened. If it is not, producers moved on during the look, and the next look finds a later one.
            for (var last = -1L; ;)
            {
                var newest = FindNewest();
                if (newest < 0 || IsOpen(newest))
                {
                    RequireStatesUpTo(newest);
                    return newest + 1;
                }

                if (newest == last)
                {
                    throw ImpossibleState((int)(newest % Control.Slots));
                }

                last = newest;
            }
        }
    }

    /// <summary>Creates the file. The caller holds the membership lock, and the control file does not exist: a creator that died left a ring without messages.</summary>
    /// <exception cref="QueueCorruptedException">The ring holds messages of a queue whose control file is lost.</exception>
    public static void CreateFile(string directory, long bytes, FilePermissions permissions)
    {
        var path = Path.Combine(directory, FileName);
        if (HasMessages(path))
        {
            throw new QueueCorruptedException(
                Path.Combine(directory, ControlMap.FileName), 0, "the control file is missing, but the ring holds messages. Restore it, or delete the directory with its messages");
        }

        File.Delete(path);
        MappedFile.Create(path, bytes, permissions, "creating");
    }

    public override string PathOf(long position) => Path.Combine(Control.Directory, FileName);

    public override bool IsOpen(long segment) => Volatile.Read(ref SlotOf(segment).State) == RingSlot.Open(segment);

    public override Segment Map(long segment)
    {
        var mapped = MapAsIs(segment);
        var header = HeaderOf(segment);
        if (!header.IsOf(Control, segment))
        {
            // The slot may be being reused. The caller then finds that the segment is no longer open.
            RequireHeader(segment, header);
        }

        return mapped;
    }

    private void RequireHeader(long segment, in SegmentHeader header)
    {
        // The state must be read after the header: an earlier one would make a header that is just being written look damaged.
        Interlocked.MemoryBarrier();
        if (IsOpen(segment))
        {
            header.Require(Control, segment, PathOf(0));
        }
    }

    /// <summary>Maps a segment whose header may be damaged, or be that of another one.</summary>
    // SAFETY: The slot number is a remainder, so the segment lies within the ring file, which stays mapped.
    public unsafe Segment MapAsIs(long segment)
    {
        Debug.Assert(segment >= 0, "Segments are numbered from 0.");
        var file = Mapped();
        var start = file.Start + (segment % Control.Slots * Control.SegmentBytes);
        return new Segment(file, (nint)start, Control.SegmentBytes, segment * Control.SegmentBytes, FreeWord(segment), OwnsFile: false);
    }

    public override bool TryOpen(long segment, SegmentOpener opener)
    {
        Debug.Assert(segment >= 0, "Segments are numbered from 0.");
        if (!HasRoom(segment))
        {
            return false;
        }

        ref var slot = ref SlotOf(segment);
        var taken = SlotLock.TryTake(Control, ref slot, opener.Slot, opener.Probe);
        if (!taken)
        {
            return false;
        }

        try
        {
            FaultPoints.Hit(FaultPoint.SlotLocked);

            // Under the lock, no other participant changes the state or places a cursor in the slot.
            var state = Volatile.Read(ref slot.State);
            var isReusable = state == (segment < Control.Slots ? RingSlot.NeverUsed : RingSlot.Open(segment - Control.Slots));
            var hasRoom = false;
            FaultPoints.TrustFirstLook(ref hasRoom);
            if (isReusable && ((!hasRoom && !HasRoom(segment)) || IsWrittenTo(segment - Control.Slots, opener.Probe)))
            {
                return false;
            }

            if (isReusable || state == RingSlot.Opening(segment))
            {
                RequireOwnRing(segment);

                // The mark names its target, so that a late producer cannot mistake the slot for one of the last lap.
                Volatile.Write(ref slot.State, RingSlot.Opening(segment));
                Interlocked.MemoryBarrier();
                FaultPoints.Hit(FaultPoint.SlotOpening);
                Prepare(segment);
                Volatile.Write(ref slot.State, RingSlot.Open(segment));
                FaultPoints.Hit(FaultPoint.SlotOpen);
            }
            else if (state < RingSlot.Open(segment) || (state != RingSlot.Open(segment) && Control.Producers == ProducerMode.Single))
            {
                throw ImpossibleState((int)(segment % Control.Slots));
            }

            return true;
        }
        finally
        {
            SlotLock.Release(ref slot);
            FaultPoints.Hit(FaultPoint.SlotUnlocked);
        }
    }

    public override bool TryHold(long segment, Action action)
    {
        ref var slot = ref SlotOf(segment);
        if (!SlotLock.TryTakeUnderMembershipLock(Control, ref slot))
        {
            return false;
        }

        try
        {
            var isOpen = IsOpen(segment) || (segment == 0 && Count == 0);
            if (isOpen)
            {
                action();
            }

            return isOpen;
        }
        finally
        {
            SlotLock.Release(ref slot);
        }
    }

    public override void NoteLoss()
    {
        if (_file is { } file)
        {
            Control.NoteLoss(file.Path, file.FindLoss());
        }
    }

    public override void RequireFiles()
    {
        base.RequireFiles();
        if (_file is { } file && file.FindCut() is { } loss)
        {
            // Touching a byte that was cut off ends the process.
            throw new StaleQueueException(Control.Directory, file.Path, loss);
        }
    }

    public override void Dispose() => _file?.Dispose();

    /// <summary>Whether a file is a ring in which a segment was opened.</summary>
    public static bool HasMessages(string path)
    {
        if (MappedFile.LengthOf(path) is null or 0)
        {
            return false;
        }

        using var file = File.OpenHandle(path, share: FileShare.ReadWrite | FileShare.Delete);
        Span<byte> header = stackalloc byte[SegmentHeader.Bytes];
        return RandomAccess.Read(file, header, 0) == header.Length && header.ContainsAnyExcept((byte)0);
    }

    // If the control file of another queue is put beside this ring, the messages of the ring must not be overwritten.
    private void RequireOwnRing(long segment)
    {
        var header = HeaderOf(segment);
        if (header.IsWhole && header.QueueId != Control.Id)
        {
            header.Require(Control, segment, PathOf(0));
        }
    }

    /// <summary>Rewrites the header of an open segment.</summary>
    public void RestoreHeader(long segment) => HeaderOf(segment) = SegmentHeader.Of(Control, segment, FreeWord(segment));

    // A single producer writes the free word after each record; many producers need it at every position.
    private void Prepare(long number)
    {
        var segment = MapAsIs(number);
        var end = Control.Producers == ProducerMode.Multiple ? Control.SegmentBytes : SegmentHeader.Bytes + (2 * RecordWord.Alignment);
        var middle = (SegmentHeader.Bytes + end) / 2;
        HeaderOf(number) = SegmentHeader.Of(Control, number, segment.FreeWord);
        Fill(segment, SegmentHeader.Bytes, middle);
        FaultPoints.Hit(FaultPoint.SlotHalfFilled);
        Fill(segment, middle, end);
    }

    private ref SegmentHeader HeaderOf(long segment) => ref Mapped().Span.Record<SegmentHeader>(segment % Control.Slots * Control.SegmentBytes).Value;

    // Records begin at every second of these words. The other words have no meaning, and wide stores fetch more whole cache lines at the same time.
    // SAFETY: The callers give offsets within the segment, which is mapped.
    private static unsafe void Fill(in Segment segment, long start, long end)
    {
        Debug.Assert(start >= 0 && start <= end && end <= segment.Bytes, "The range lies within the segment.");
        Debug.Assert(start % RecordWord.Alignment == 0, "Free words are where records begin.");
        new Span<ulong>((byte*)segment.Start + start, (int)((end - start) / sizeof(ulong))).Fill(segment.FreeWord);
    }

    private long FindNewest()
    {
        var newest = -1L;
        for (var slot = 0; slot < Control.Slots; slot++)
        {
            var state = Volatile.Read(ref Control.RingSlot(slot).State);
            if (!RingSlot.IsPossible(state, slot, Control.Slots, Control.SegmentBytes))
            {
                throw ImpossibleState(slot);
            }

            newest = Math.Max(newest, RingSlot.SegmentOf(state, Control.Slots));
        }

        return newest;
    }

    // Segments are opened one after the other, and states only grow. From the opening of the newest segment on, each slot holds the last segment up to it, or a later one.
    private void RequireStatesUpTo(long newest)
    {
        var (late, last) = (0, 0);
        for (var slot = 0; slot < Control.Slots; slot++)
        {
            var number = newest - (((newest % Control.Slots) - slot + Control.Slots) % Control.Slots);
            if (number >= 0 && Volatile.Read(ref Control.RingSlot(slot).State) < RingSlot.Open(number))
            {
                late++;
                last = slot;
            }
        }

        if (late > 0)
        {
            // If several slots are late, the number of the newest segment is damaged.
            throw ImpossibleState(late == 1 ? last : (int)(newest % Control.Slots));
        }
    }

    private QueueCorruptedException ImpossibleState(int slot)
    {
        ref var state = ref Control.RingSlot(slot).State;
        return new QueueCorruptedException(Control.Path, Control.OffsetOf(ref state), $"the slot {slot} of the ring cannot be in the state {Volatile.Read(ref state)}");
    }

    private bool HasRoom(long segment) =>
        segment < Control.Slots || LowWatermark.Of(Control) >= (segment - Control.Slots + 1) * Control.SegmentBytes;

    /// <summary>
    /// Whether a live producer has an unpublished record in an open segment: it would write the record over those of the next segment in this slot. No cursor holds such a record if all
    /// names began, or were moved, after it. A producer has at most one, and stores its position before it claims it. The record of a dead producer becomes padding.
    /// </summary>
    private bool IsWrittenTo(long number, LivenessProbe probe)
    {
        if (number < 0)
        {
            return false;
        }

        var segment = MapAsIs(number);
        var used = Control.UsedSlots;
        for (var slot = 1; slot < used; slot++)
        {
            ref var producer = ref Control.Participant(slot);
            var position = Volatile.Read(ref producer.LastClaim);
            if (Volatile.Read(ref producer.Role) == ParticipantSlot.ProducerRole
                && (ulong)(position - segment.Position) < (ulong)segment.Bytes
                && position % RecordWord.Alignment == 0)
            {
                var word = Volatile.Read(ref segment.Word(position));
                if (RecordWord.State(word) == RecordWord.Reserved && RecordWord.Owner(word) == slot && !TryResolve(segment, position, word, probe))
                {
                    return true;
                }
            }
        }

        return false;
    }

    private ref RingSlot SlotOf(long segment) => ref Control.RingSlot((int)(segment % Control.Slots));

    /// <summary>
    /// A word that a payload equals only by a chance of 2^-61: the queue's random salt and the segment's number, mixed by the finalizer of
    /// MurmurHash3 (Austin Appleby).
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ulong FreeWord(long segment)
    {
        FaultPoints.ForgetLap(ref segment);
        var word = Control.Salt ^ ((ulong)segment * 0x9E3779B97F4A7C15);
        word = (word ^ (word >> 33)) * 0xFF51AFD7ED558CCD;
        word = (word ^ (word >> 33)) * 0xC4CEB9FE1A85EC53;
        return (word ^ (word >> 33)) & ~(ulong)7;
    }

    private MappedFile Mapped()
    {
        lock (_mapping)
        {
            return _file ??= OpenFile();
        }
    }

    private MappedFile OpenFile()
    {
        var path = Path.Combine(Control.Directory, FileName);
        var wanted = Control.Slots * Control.SegmentBytes;
        MappedFile file;
        try
        {
            file = MappedFile.Open(path, Control.Access);
        }
        catch (Exception exception) when (exception is FileNotFoundException or InvalidDataException)
        {
            Control.RequireFile();
            throw new QueueCorruptedException(path, 0, "the ring is missing or empty, or not a regular file");
        }

        if (file.Length != wanted)
        {
            var length = file.Length;
            file.Dispose();
            throw new QueueCorruptedException(path, 0, $"the ring has {length} bytes instead of {wanted}");
        }

        return file;
    }
}
