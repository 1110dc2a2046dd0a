using System.Diagnostics;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>
/// The engine of a reader that takes no part in the queue: it has no slot, holds up no participant, and writes nothing. Producers and retention may overtake it.
/// <code>
/// durable  the segment's file is mapped for reading, and stays readable after retention has deleted it
/// bounded  1 copy the record into memory of the reader's own, at the same offset   2 fence   3 the slot still holds the segment: the copy is whole
/// </code>
/// </summary>
internal sealed class ObservingReader : LogReader
{
    private readonly bool _copies;

    // In a queue that a crash of the machine has torn, the position where the repair will cut off the end. Otherwise the largest number.
    private long _tornEnd;

    // Compared with the queue's content as soon as that is decided; null if a comparison is no longer needed.
    private RecordContent? _content;

    // SAFETY: Memory of this reader, as long as a segment; released by Close.
    private unsafe byte* _copy;
    private long _position;

    public ObservingReader(QueueHandle queue, RecordContent? content, QueueStart start)
        : this(queue, new WakeSignal(), content, start)
    {
    }

    private ObservingReader(QueueHandle queue, WakeSignal signal, RecordContent? content, QueueStart start)
        : base(queue, signal, slot: 0, new AsyncWaits(queue.Control, signal), new ConsumerOptions())
    {
        var control = queue.Control;
        _content = content;
        CompareContent();
        _copies = control.Mode == QueueMode.Bounded;
        _position = FindStart(start);
    }

    public override string ObjectName => "MessageReader";

    protected override long Position => _position;

    protected override bool IsRedelivered => false;

    public override void CommitThrough(long position) => throw new InvalidOperationException("A reader has no position in the queue to commit.");

    public override long Seek(QueueStart start)
    {
        BeginUse();
        try
        {
            var before = _position;
            _position = FindStart(start);
            return before;
        }
        finally
        {
            EndUse();
        }
    }

    /// <summary>Skips the next record if a live producer has not finished it. The records after it may be finished.</summary>
    /// <returns>False at the end of the queue.</returns>
    /// <exception cref="MessagesDeletedException">The next records are no longer in the queue.</exception>
    public bool TryPassUnfinished()
    {
        BeginUse();
        try
        {
            return _position < _tornEnd && TryEnter(_position) && TryPass(Volatile.Read(ref Segment.Word(_position)));
        }
        finally
        {
            EndUse();
        }
    }

    public override void Rollback()
    {
        if (TakenBytes != 0)
        {
            TakenBytes = 0;
            _position = TakenPosition;
        }
    }

    // SAFETY: The copy is released once: the gate closes an object once.
    public override unsafe void Close()
    {
        if (_copy is not null)
        {
            AddressSpace.Release(_copy, (nuint)SegmentBytes);
        }

        base.Close();
    }

    protected override void Finish() => TakenBytes = 0;

    protected override void ReadOn() => LeaveDelivery();

    protected override bool TryTake() => false;

    // SAFETY: The segment is mapped, At checks the position, and the length is checked before the payload is copied.
    protected override unsafe bool TryTakeSlow()
    {
        while ((_position < _tornEnd || TryPassTornEnd()) && TryEnter(_position))
        {
            var offset = RequireOffset(_position - Segment.Position);
            var record = Segment.At(_position);
            var word = Volatile.Read(ref *(ulong*)record);
            if (!IsStillOpen())
            {
                throw Overtaken();
            }

            var hasValidLength = RecordWord.HasValidLength(word, SegmentBytes - offset);
            switch (RecordWord.State(word))
            {
                case RecordWord.Committed when hasValidLength:
                    Take(record, offset, RecordWord.Bytes(word));
                    return true;
                case RecordWord.Padding when hasValidLength:
                    Segments.RequirePadding(record, _position, word, SegmentBytes - offset);
                    _position += RecordWord.Bytes(word);
                    break;
                default:
                    if (!TryStepOver(word))
                    {
                        return false;
                    }

                    break;
            }
        }

        return false;
    }

    // SAFETY: The caller checked that the record ends within its segment, and the copy is as long as a segment.
    private unsafe void Take(byte* record, long offset, uint bytes)
    {
        Debug.Assert(offset >= 0 && offset + bytes <= SegmentBytes, "The record ends within its segment.");
        var position = _position;
        CompareContent();
        if (_copies)
        {
            if (_copy is null)
            {
                _copy = AddressSpace.Reserve((nuint)SegmentBytes);
            }

            Buffer.MemoryCopy(record, _copy + offset, bytes, bytes);
            Interlocked.MemoryBarrier();
            if (!IsStillOpen())
            {
                throw Overtaken();
            }

            Rebase(_copy, position - offset);
            Deliver(_copy + offset, offset, bytes);
        }
        else
        {
            Rebase(record - offset, position - offset);
            Deliver(record, offset, bytes);
        }

        _position = position + bytes;
    }

    private long FindStart(QueueStart start)
    {
        var isTorn = Control.MayBeTorn;
        _tornEnd = isTorn ? CrashRecovery.FindEnd((FileSegments)Segments) : long.MaxValue;
        return isTorn ? new ObservedStart(Segments).FindBefore(start, _tornEnd) : new ObservedStart(Segments).Find(start);
    }

    // A queue that a participant has open is not repaired, and has new records.
    private bool TryPassTornEnd()
    {
        _tornEnd = Control.MayBeTorn ? CrashRecovery.FindEnd((FileSegments)Segments, _position) : long.MaxValue;
        return _position < _tornEnd;
    }

    private void CompareContent()
    {
        if (_content is not null && StoredContent.Compare(Control, _content) != ContentMatch.Undecided)
        {
            _content = null;
        }
    }

    // The reservation of a dead producer holds nothing. A consumer would turn it into padding; this reader skips it without a change.
    private bool TryStepOver(ulong word)
    {
        Segments.RequireUnfinished(Segment, _position, word);
        if (RecordWord.State(word) != RecordWord.Reserved || !Probe.IsOwnerDead(_position, word) || Volatile.Read(ref Segment.Word(_position)) != word)
        {
            return false;
        }

        _position += RecordWord.Bytes(word);
        return true;
    }

    // A record that has been finished since the last look is the next one to read.
    private bool TryPass(ulong word)
    {
        if (!IsStillOpen())
        {
            throw Overtaken();
        }

        if (RecordWord.State(word) == RecordWord.Reserved)
        {
            Segments.RequireUnfinished(Segment, _position, word);
            _position += RecordWord.Bytes(word);
        }

        return RecordWord.State(word) != RecordWord.Free;
    }

    // The slots of a bounded queue are reused; a mapped file keeps its content.
    private bool IsStillOpen() => !_copies || Segments.IsOpen(Segment.Position / SegmentBytes);

    private MessagesDeletedException Overtaken()
    {
        LeaveSegment();
        return new MessagesDeletedException(Control.Directory, _position, Segments.First * SegmentBytes);
    }
}
