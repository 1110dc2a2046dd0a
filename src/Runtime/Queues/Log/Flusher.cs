using System.Diagnostics;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>
/// The flushing of a durable queue to the disk. It moves the durable position: everything before it is finished, and on the disk.
/// <code>
/// flush  1 walk from the durable position over finished records   2 flush the segment   3 durable position = its maximum and the end of the walk
/// </code>
/// A queue handle runs one flush at a time, for all callers that wait for their turn: the next caller finds the durable position
/// after its own message. Flushes of other processes may run at the same time. Thread-safe.
/// </summary>
internal sealed class Flusher(SegmentStore segments) : IDisposable
{
    private static readonly TimeSpan BlockedPause = TimeSpan.FromMilliseconds(1);

    private readonly ControlMap _control = segments.Control;
    private readonly SemaphoreSlim _turn = new(1);
    private Segment _segment;

    // After the last observed failure, a flush alone is not trusted to write the pages before this position.
    private uint _seenFailures;
    private long _untrustedEnd;

    /// <summary>The position before which everything is on the disk.</summary>
    public long DurablePosition => _control.DurablePosition;

    /// <summary>Flushes until every message that starts at a position or before it is on the disk, as far as that is possible now.</summary>
    /// <param name="position">A record's position, or any other.</param>
    /// <param name="probe">The caller's, for the owner of an earlier unfinished record.</param>
    /// <returns>False while an earlier record is unfinished.</returns>
    /// <exception cref="FlushFailedException">The disk failed.</exception>
    public bool TryFlushThrough(long position, LivenessProbe probe)
    {
        if (DurablePosition > position)
        {
            return true;
        }

        _turn.Wait();
        try
        {
            return TryFlush(position, probe);
        }
        finally
        {
            EndTurn();
        }
    }

    /// <summary>Flushes as <see cref="TryFlushThrough"/> does, for a message that was just published: damage that keeps it from the disk may not look like a failure of the publish either.</summary>
    /// <inheritdoc cref="TryFlushThrough"/>
    public bool TryFlushMessage(long position, LivenessProbe probe)
    {
        try
        {
            return TryFlushThrough(position, probe);
        }
        catch (Exception exception) when (exception is QueueCorruptedException or NotSupportedException)
        {
            throw ToldFailure(exception);
        }
    }

    /// <summary>Flushes all messages up to the published position.</summary>
    /// <exception cref="FlushFailedException">The disk failed.</exception>
    public void FlushPublished()
    {
        long published;
        try
        {
            published = PublishedPosition.Of(segments);
        }
        catch (Exception exception) when (IsFailure(exception))
        {
            throw ToldFailure(exception);
        }

        Wait(published - 1, Timeout.InfiniteTimeSpan, CancellationToken.None);
    }

    /// <summary>Waits until every message that starts at a position or before it is on the disk.</summary>
    /// <returns>False if it is not within the timeout.</returns>
    public bool Wait(long position, TimeSpan timeout, CancellationToken cancellationToken)
    {
        if (DurablePosition > position)
        {
            return true;
        }

        var probe = new LivenessProbe(_control);
        var start = Stopwatch.GetTimestamp();
        while (true)
        {
            if (_turn.Wait(RestOfTime.Of(timeout, start), cancellationToken))
            {
                try
                {
                    if (TryFlush(position, probe))
                    {
                        return true;
                    }
                }
                finally
                {
                    EndTurn();
                }
            }

            if (RestOfTime.IsOver(timeout, start))
            {
                return false;
            }

            Thread.Sleep(BlockedPause);
        }
    }

    /// <summary>Waits as <see cref="Wait"/> does, but blocks a thread only for the flush itself.</summary>
    public async ValueTask<bool> WaitAsync(long position, TimeSpan timeout, CancellationToken cancellationToken)
    {
        if (DurablePosition > position)
        {
            return true;
        }

        var probe = new LivenessProbe(_control);
        var start = Stopwatch.GetTimestamp();
        while (true)
        {
            if (await _turn.WaitAsync(RestOfTime.Of(timeout, start), cancellationToken).ConfigureAwait(false))
            {
                try
                {
                    if (await Task.Run(() => TryFlush(position, probe), CancellationToken.None).ConfigureAwait(false))
                    {
                        return true;
                    }
                }
                finally
                {
                    EndTurn();
                }
            }

            if (RestOfTime.IsOver(timeout, start))
            {
                return false;
            }

            await Task.Delay(BlockedPause, cancellationToken).ConfigureAwait(false);
        }
    }

    public void Dispose()
    {
        _segment.Dispose();
        _turn.Dispose();
    }

    private void EndTurn()
    {
        _turn.Release();
        segments.Events.Tell();
    }

    // The messages are published, so no failure on the way to the disk may look like a failed publish.
    private bool TryFlush(long position, LivenessProbe probe)
    {
        try
        {
            return TryFlushAll(position, probe);
        }
        catch (Exception exception) when (IsFailure(exception))
        {
            throw Failure(exception);
        }
    }

    private bool TryFlushAll(long position, LivenessProbe probe)
    {
        var lastClaim = FindLastClaim();
        while (true)
        {
            if (_control.Loss is { } loss)
            {
                // The end of a truncated file must not be touched.
                throw loss;
            }

            if (DurablePosition > position)
            {
                return true;
            }

            var end = FlushFinished();
            if (end > position)
            {
                return true;
            }

            var word = _segment.IsMapped && _segment.Position == end / _control.SegmentBytes * _control.SegmentBytes
                ? Volatile.Read(ref _segment.Word(end))
                : RecordWord.Free;
            if (RecordWord.State(word) == RecordWord.Free)
            {
                // There is no such message yet.
                return true;
            }

            if (RecordWord.State(word) == RecordWord.Reserved)
            {
                // The next flush may be an interval away, or never come. A dead producer's record, which holds back everything after it, must not wait for it.
                if (!segments.TryResolve(_segment, end, word, probe) && !probe.TryProbeNow())
                {
                    return false;
                }
            }
            else if (end > lastClaim)
            {
                // It was claimed and finished during the flush. Producers that never pause would hold the caller here forever.
                return true;
            }
        }
    }

    /// <summary>
    /// Finds the last claim of all producers. Every record that is unfinished now begins there or before it: a producer has at most one, and stores its position before it claims it.
    /// So a flush that gets further has written all messages that are published now.
    /// </summary>
    private long FindLastClaim()
    {
        var last = 0L;
        var used = _control.UsedSlots;
        for (var slot = 1; slot < used; slot++)
        {
            ref var producer = ref _control.Participant(slot);
            if (Volatile.Read(ref producer.Role) == ParticipantSlot.ProducerRole)
            {
                last = Math.Max(last, Volatile.Read(ref producer.LastClaim));
            }
        }

        return last;
    }

    /// <summary>Flushes all records up to the first that is not finished, and returns the position of that one.</summary>
    private long FlushFinished()
    {
        var position = DurablePosition;
        while (TryEnter(ref position))
        {
            var end = segments.FindEndFrom(_segment, position);
            if (end != position)
            {
                Flush(position, end);
                position = end;
            }

            if (end != _segment.Position + _control.SegmentBytes)
            {
                break;
            }
        }

        return position;
    }

    /// <summary>Maps the segment of a position, or the first existing one if that was deleted; false if it is not open yet.</summary>
    private bool TryEnter(ref long position)
    {
        while (true)
        {
            position = Math.Max(position, segments.First * _control.SegmentBytes);
            var number = position / _control.SegmentBytes;
            if (_segment.IsMapped && _segment.Position == number * _control.SegmentBytes)
            {
                return true;
            }

            if (segments.IsOpen(number))
            {
                try
                {
                    Enter(number);
                    return true;
                }
                catch (MessagesDeletedException)
                {
                    continue;
                }
            }

            if (number >= segments.First)
            {
                return false;
            }
        }
    }

    private void Enter(long number)
    {
        var next = segments.Map(number);
        try
        {
            // The name of the file must be on the disk before the durable position enters the file.
            DiskFlush.OfDirectory(_control.Directory);
        }
        catch
        {
            next.Dispose();
            throw;
        }

        _segment.Dispose();
        _segment = next;
    }

    private void Flush(long position, long end)
    {
        Debug.Assert(position < end, "There is something to flush.");
        var failures = Volatile.Read(ref _control.Header.FlushFailures);
        if (failures != _seenFailures)
        {
            _seenFailures = failures;
            _untrustedEnd = segments.Count * _control.SegmentBytes;
        }

        if (position < _untrustedEnd)
        {
            _segment.File.MarkDirty(position - _segment.Position, end - position);
        }

        _segment.File.Flush();
        segments.Events.NoteFlush();
        var seen = DurablePosition;
        while (seen < end)
        {
            seen = Interlocked.CompareExchange(ref _control.Header.DurablePosition, end, seen);
        }
    }

    // Lost files are reported as such.
    private static bool IsFailure(Exception exception) => exception is (IOException and not StaleQueueException) or UnauthorizedAccessException;

    // No turn ends after it that would tell the program.
    private FlushFailedException ToldFailure(Exception exception)
    {
        var failure = Failure(exception);
        segments.Events.Tell();
        return failure;
    }

    private FlushFailedException Failure(Exception exception)
    {
        Interlocked.Increment(ref _control.Header.FlushFailures);
        var failure = new FlushFailedException(_control.Directory, DurablePosition, exception);
        segments.Events.NoteFlushFailure(failure);
        return failure;
    }
}
