using System.Collections.Concurrent;

namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>The events that a queue told, and what the test does when it hears one.</summary>
internal sealed class HeardEvents
{
    private readonly ConcurrentQueue<QueueEvent> _all = new();

    /// <summary>Called for each event after it is kept.</summary>
    public Action<QueueEvent>? Then { get; set; }

    public IReadOnlyList<QueueEvent> All => [.. _all];

    public IReadOnlyList<QueueEvent> Of(QueueEventKind kind) => [.. _all.Where(heard => heard.Kind == kind)];

    /// <summary>The listener.</summary>
    public void Hear(QueueEvent heard)
    {
        _all.Enqueue(heard);
        Then?.Invoke(heard);
    }

    /// <summary>Options of a queue with small segments that is heard.</summary>
    public MessageQueueOptions Options() => new() { SegmentBytes = QueueDirectory.SmallSegment, OnEvent = Hear };
}
