using System.Diagnostics;

namespace BufferedMessages.Tool;

/// <summary>Samples of a queue, and the differences between two of them. Serves one thread at a time.</summary>
/// <param name="queue">The queue, which is disposed with the meter.</param>
internal sealed class QueueMeter(MessageQueue queue) : IDisposable
{
    private QueueStatistics _last = queue.GetStatistics();
    private long _lastTime = Stopwatch.GetTimestamp();

    /// <summary>Gets the name of the queue's folder.</summary>
    public string Name { get; } = Path.GetFileName(queue.Path);

    /// <summary>Opens a queue.</summary>
    /// <param name="path">Its folder.</param>
    public static QueueMeter Open(string path)
    {
        var queue = MessageQueue.OpenReadOnly(path);
        try
        {
            return new QueueMeter(queue);
        }
        catch
        {
            queue.Dispose();
            throw;
        }
    }

    /// <summary>Returns the last sample without rates: just after the queue was opened, one message would be thousands a second.</summary>
    public QueueRates WithoutRates() => new(Name, DateTimeOffset.UtcNow, _last, 0, 0, 0, 0, [.. _last.Consumers.Select(static _ => 0.0)]);

    /// <summary>Takes a sample.</summary>
    /// <exception cref="StaleQueueException">The files of the queue were deleted or replaced.</exception>
    public QueueRates Sample()
    {
        var now = queue.GetStatistics();
        var time = Stopwatch.GetTimestamp();
        var seconds = Math.Max(Stopwatch.GetElapsedTime(_lastTime, time).TotalSeconds, double.Epsilon);
        var rates = new QueueRates(
            Name,
            DateTimeOffset.UtcNow,
            now,
            Messages(_last.Producers, now.Producers) / seconds,
            (now.PublishedPosition - _last.PublishedPosition) / seconds,
            (now.SpaceWaits - _last.SpaceWaits) / seconds,
            (now.Wakes - _last.Wakes) / seconds,
            [.. now.Consumers.Select(name => Messages(MembersOf(_last, name.Name), name.Members) / seconds)]);
        (_last, _lastTime) = (now, time);
        return rates;
    }

    public void Dispose() => queue.Dispose();

    private static IReadOnlyList<ParticipantStatistics> MembersOf(QueueStatistics statistics, string name) =>
        statistics.Consumers.FirstOrDefault(known => string.Equals(known.Name, name, StringComparison.Ordinal))?.Members ?? [];

    // Counts begin at 0 with each participant: one that opened since the last sample counts whole. A slot that has a new owner counts from 0 too. Damaged counts have sums that no integer holds.
    private static double Messages(IReadOnlyList<ParticipantStatistics> before, IReadOnlyList<ParticipantStatistics> now)
    {
        var known = before.ToDictionary(static participant => participant.Slot);
        return now.Sum(participant =>
            known.TryGetValue(participant.Slot, out var last) && last.ProcessId == participant.ProcessId && last.ProcessStart == participant.ProcessStart && last.Messages <= participant.Messages
                ? (double)participant.Messages - last.Messages
                : participant.Messages);
    }
}
