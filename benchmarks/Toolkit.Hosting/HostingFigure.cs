namespace BufferedMessages.HostingBenchmarks;

/// <summary>The medians of one kind of message and one kind of consumer.</summary>
/// <param name="Content">The messages: orders, or values of 8 bytes.</param>
/// <param name="Consumer">A member of a group, or an exclusive consumer with its messages per commit.</param>
/// <param name="Messages">Messages of a round.</param>
/// <param name="ReadAllPerSecond">Messages per second of a loop over ReadAll.</param>
/// <param name="SynchronousPerSecond">Messages per second of a synchronous handler.</param>
/// <param name="AsynchronousPerSecond">Messages per second of an asynchronous handler that completes at once.</param>
/// <param name="SynchronousRatio">The median ratio of the synchronous handler to the loop of the same round.</param>
/// <param name="AsynchronousRatio">The median ratio of the asynchronous handler to the loop of the same round.</param>
internal sealed record HostingFigure(
    string Content,
    string Consumer,
    long Messages,
    double ReadAllPerSecond,
    double SynchronousPerSecond,
    double AsynchronousPerSecond,
    double SynchronousRatio,
    double AsynchronousRatio);
