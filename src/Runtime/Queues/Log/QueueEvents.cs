using System.Globalization;

namespace BufferedMessages.Queues;

/// <summary>
/// The events of an open queue, on their way to the program. They are noted where they happen, possibly under a lock, and reported by the next thread that holds none. The program
/// can therefore use the queue when it receives them. Costs a null check without a listener. Thread-safe.
/// </summary>
/// <param name="path">The queue's directory.</param>
/// <param name="listener">The program's; null if it does not listen.</param>
internal sealed class QueueEvents(string path, Action<QueueEvent>? listener)
{
    private readonly Lock _lock = new();
    private readonly List<QueueEvent> _noted = [];
    private bool _hasNoted;
    private int _isFlushFailing;
    private int _isDiskFull;
    private int _isLost;

    /// <summary>Whether the program listens.</summary>
    public bool AreHeard => listener is not null;

    /// <summary>Reports all noted events to the program. The caller holds no lock, and no record that it has not published.</summary>
    public void Tell()
    {
        if (Volatile.Read(ref _hasNoted))
        {
            TellNoted();
        }
    }

    public void NoteRepair(QueueRecovery recovery)
    {
        var clamped = recovery.ClampedNames.Count == 0 ? "" : $" The consumers '{string.Join("', '", recovery.ClampedNames)}' were after the end, and were moved back.";
        var kept = recovery.LostAndFound is null ? "" : $" See '{recovery.LostAndFound}'.";
        Note(new QueueEvent(
            QueueEventKind.Repaired,
            Text($"The queue in '{path}' was repaired after a crash of the machine. It ends at position {recovery.Position}; {recovery.CutBytes} bytes were cut off.{clamped}{kept}"))
        {
            Position = recovery.Position,
            Bytes = recovery.CutBytes,
        });
    }

    public void NoteFreedSlot(string? consumer, bool isMember, int processId)
    {
        var owner = consumer is null ? "a producer" : isMember ? $"a member of '{consumer}'" : $"the consumer '{consumer}'";
        var end = isMember ? "died, or was closed with a message that it had not committed" : "died";
        Note(new QueueEvent(QueueEventKind.SlotFreed, Text($"The slot of {owner} in the queue in '{path}' was freed. Its owner, in process {processId}, {end}."))
        {
            Consumer = consumer,
            ProcessId = processId,
        });
    }

    public void NoteDiscardedClaim(long position, long bytes, int? processId)
    {
        var owner = processId is { } id ? Text($"A producer of process {id}") : "A producer";
        Note(new QueueEvent(
            QueueEventKind.ClaimDiscarded, Text($"{owner} died before it had published the {bytes} bytes at position {position} of the queue in '{path}'. They were discarded."))
        {
            Position = position,
            Bytes = bytes,
            ProcessId = processId,
        });
    }

    public void NoteRedelivery(string consumer, long position, long bytes, int? processId)
    {
        var member = processId is { } id ? Text($"a member of process {id}") : "a member";
        Note(new QueueEvent(
            QueueEventKind.Redelivery,
            Text($"The message at position {position} of the queue in '{path}' is delivered to '{consumer}' again: {member} died, or was closed, before it had committed it."))
        {
            Consumer = consumer,
            Position = position,
            Bytes = bytes,
            ProcessId = processId,
        });
    }

    public void NoteRedeliveries(string consumer, long position) => Note(new QueueEvent(
        QueueEventKind.Redelivery,
        Text($"Messages of the queue in '{path}' from position {position} on may be delivered to '{consumer}' again: its last consumer died, or was closed, before it had committed all that it read."))
    {
        Consumer = consumer,
        Position = position,
    });

    public void NoteDeletion(long first, long bytes, string rule) => Note(new QueueEvent(
        QueueEventKind.SegmentsDeleted, Text($"Retention ({rule}) deleted {bytes} bytes of the queue in '{path}', which now begins at position {first}."))
    {
        Position = first,
        Bytes = bytes,
    });

    public void NoteLostMessages(string consumer, long first, long bytes, string rule) => Note(new QueueEvent(
        QueueEventKind.UnreadDeleted,
        Text($"Retention ({rule}) deleted {bytes} bytes of the queue in '{path}' that the consumer '{consumer}' had not read. It can continue at position {first}."))
    {
        Consumer = consumer,
        Position = first,
        Bytes = bytes,
    });

    public void NoteFlushFailure(FlushFailedException failure)
    {
        if (Interlocked.Exchange(ref _isFlushFailing, 1) == 0)
        {
            Note(new QueueEvent(QueueEventKind.FlushFailed, failure.Message) { Position = failure.DurablePosition });
        }
    }

    /// <summary>A flush succeeded; a later failure is reported again.</summary>
    public void NoteFlush() => Forget(ref _isFlushFailing);

    public void NoteFullDisk(DiskFullException failure, long position)
    {
        if (Interlocked.Exchange(ref _isDiskFull, 1) == 0)
        {
            Note(new QueueEvent(QueueEventKind.DiskFull, failure.Message) { Position = position, Bytes = failure.Bytes });
        }
    }

    /// <summary>A segment was created; a full disk is reported again.</summary>
    public void NoteNewSegment() => Forget(ref _isDiskFull);

    public void NoteLostFiles(StaleQueueException loss)
    {
        if (Interlocked.Exchange(ref _isLost, 1) == 0)
        {
            Note(new QueueEvent(QueueEventKind.FilesLost, loss.Message));
        }
    }

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);

    private static void Forget(ref int state)
    {
        if (Volatile.Read(ref state) != 0)
        {
            Volatile.Write(ref state, 0);
        }
    }

    private void Note(QueueEvent happened)
    {
        if (listener is not null)
        {
            lock (_lock)
            {
                _noted.Add(happened);
                Volatile.Write(ref _hasNoted, true);
            }
        }
    }

    private void TellNoted()
    {
        QueueEvent[] told;
        lock (_lock)
        {
            told = [.. _noted];
            _noted.Clear();
            Volatile.Write(ref _hasNoted, false);
        }

        foreach (var happened in told)
        {
            // The program's listener and the log of a host are combined. Each is called, whatever the others throw.
            foreach (var one in Delegate.EnumerateInvocationList(listener))
            {
                try
                {
                    one(happened);
                }
                catch (Exception)
                {
                    // The queue continues: most events come at a time when no code of the program could handle the exception.
                }
            }
        }
    }
}
