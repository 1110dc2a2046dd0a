using System.Diagnostics;

namespace BufferedMessages.CrossProcess.Torture;

/// <summary>Checks and notes what one consumer gets. A message that comes against the rules is a fault.</summary>
/// <param name="notes">Those of all processes, the dead ones included.</param>
/// <param name="name">The consumer name's number.</param>
/// <param name="isGroup">Members of a group see only a part of the messages.</param>
/// <param name="isCalm">A message is never blocked by an earlier one whose producer is paused, or was killed.</param>
internal sealed class DeliveryCheck(RoundNotes notes, int name, bool isGroup, bool isCalm)
{
    // A wake-up that took this long was missed, unless the machine was busy: then the watch thread was late too.
    private static readonly TimeSpan MissedWake = TimeSpan.FromMilliseconds(50);

    private const int MissedWakesBeforeStalled = 3;

    private readonly Dictionary<int, int> _last = [];
    private int _missedWakes;
    private long _lastPosition = -1;

    private long _abandonedPosition = -1;

    private long _position;
    private int _incarnation;
    private int _number;
    private bool _isEmpty;

    /// <summary>A message arrived.</summary>
    /// <param name="payload">The message.</param>
    /// <param name="position">Its position.</param>
    /// <param name="isRedelivery">It is flagged.</param>
    public void Deliver(ReadOnlySpan<byte> payload, long position, bool isRedelivery)
    {
        ref var head = ref notes.Head;
        Interlocked.Increment(ref head.Delivered[name]);
        _position = position;
        CheckPosition(isRedelivery);
        _isEmpty = payload.Length == 0;
        if (_isEmpty)
        {
            Interlocked.Increment(ref head.EmptyDelivered[name]);
            return;
        }

        if (!TortureMessage.TryRead(payload, out _incarnation, out _number)
            || _incarnation >= RoundNotes.MaxIncarnations || (uint)_number >= RoundNotes.MaxNumbers)
        {
            _isEmpty = true;
            notes.Fault(ref head.Corrupt, $"name {name}: {payload.Length} bytes at {position} are no message (incarnation {_incarnation}, number {_number})");
            return;
        }

        // A producer notes each message, or batch, before it publishes the next.
        if (TortureMessage.BatchOf(_incarnation, _number).First > Volatile.Read(ref notes.Published(_incarnation)))
        {
            notes.Fault(ref head.Corrupt, $"name {name}: {Describe()} was not published yet");
        }

        // A group's member that dies between its last look and its claim leaves a message that another may have committed: that one is flagged.
        var before = notes.Note(name, _incarnation, _number, Delivery.Delivered);
        var isUnflagged = !isRedelivery && before is not Delivery.None && (before & Delivery.Abandoned) == 0;
        if (isUnflagged || (!isGroup && (before & Delivery.Committed) != 0))
        {
            notes.Fault(ref head.Unflagged, $"name {name}: {Describe()} came again (redelivery {isRedelivery}, {before})");
        }

        CheckOrder(isRedelivery, before);
    }

    /// <summary>A message of the same batch follows the one that arrived last: it is there at once.</summary>
    public bool IsWithinBatch => !_isEmpty && TortureMessage.BatchOf(_incarnation, _number) is var (first, count) && _number + 1 < first + count;

    /// <summary>The rest of the batch did not come.</summary>
    public void MissRestOfBatch() => notes.Fault(ref notes.Head.Halved, $"name {name}: the batch does not go on after {Describe()}");

    /// <summary>The message that arrived last.</summary>
    public (int Incarnation, int Number, bool IsEmpty) Last => (_incarnation, _number, _isEmpty);

    /// <summary>The message that arrived last is committed.</summary>
    public void Commit() => Note(Last, Delivery.Committed);

    /// <summary>A message that arrived earlier is committed.</summary>
    public void Commit((int Incarnation, int Number, bool IsEmpty) message) => Note(message, Delivery.Committed);

    /// <summary>The message that arrived last will not be committed: it must come again.</summary>
    public void Abandon()
    {
        _abandonedPosition = _position;
        Note(Last, Delivery.Abandoned);
    }

    /// <summary>The message that arrived last had been waited for.</summary>
    /// <param name="waitStart">When the wait began.</param>
    /// <param name="now">When it ended.</param>
    /// <param name="lateness">How late this process ran meanwhile.</param>
    public void CheckWake(long waitStart, long now, TimeSpan lateness)
    {
        if (_isEmpty || notes.TimeOf(_incarnation, _number) is not { } published || published < waitStart)
        {
            return;
        }

        var latency = Stopwatch.GetElapsedTime(published, now);
        var bucket = (int)Math.Clamp(Math.Ceiling(Math.Log2(Math.Max(latency.TotalMicroseconds, 1))), 0, RoundNotes.LatencyBuckets - 1);
        Interlocked.Increment(ref notes.Head.Wakes[bucket]);
        if (isCalm && latency > MissedWake + lateness && ++_missedWakes == MissedWakesBeforeStalled)
        {
            notes.Fault(
                ref notes.Head.Stalled,
                $"name {name}: woke {latency.TotalMilliseconds:F1} ms after {_incarnation}/{_number} was published, and so late {MissedWakesBeforeStalled} times; a timer was {lateness.TotalMilliseconds:F1} ms late");
        }
    }

    private void Note((int Incarnation, int Number, bool IsEmpty) message, Delivery note)
    {
        if (!message.IsEmpty)
        {
            notes.Note(name, message.Incarnation, message.Number, note);
        }
    }

    private void CheckPosition(bool isRedelivery)
    {
        if (isRedelivery)
        {
            return;
        }

        if (_position <= _lastPosition && _position != _abandonedPosition)
        {
            notes.Fault(ref notes.Head.Disordered, $"name {name}: position {_position} came after {_lastPosition}");
        }

        _lastPosition = _position;
    }

    private void CheckOrder(bool isRedelivery, Delivery before)
    {
        if (isGroup)
        {
            CheckMemberOrder(isRedelivery, before);
            return;
        }

        // A number that is missing is lost, or comes later: both are seen.
        ref var next = ref notes.Next(name, _incarnation);
        if (_number < next && before == Delivery.None)
        {
            notes.Fault(ref notes.Head.Disordered, $"name {name}: {Describe()} came after {next - 1}");
        }

        next = Math.Max(next, _number + 1);
    }

    private void CheckMemberOrder(bool isRedelivery, Delivery before)
    {
        if (isRedelivery)
        {
            return;
        }

        if (before == Delivery.None && _last.TryGetValue(_incarnation, out var last) && _number <= last)
        {
            notes.Fault(ref notes.Head.Disordered, $"name {name}: {Describe()} came after {last}");
        }

        _last[_incarnation] = _number;
    }

    private string Describe() => $"message {_number} of incarnation {_incarnation} at {_position}";
}
