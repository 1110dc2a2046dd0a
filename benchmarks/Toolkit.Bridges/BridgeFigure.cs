namespace BufferedMessages.BridgeBenchmarks;

/// <summary>A figure of a run.</summary>
/// <param name="Broker">The broker.</param>
/// <param name="Direction">out: queue to stream, confirmed; in: stream to queue, verified and published; views: stream to views, without a queue.</param>
/// <param name="Batch">The most messages of a run.</param>
/// <param name="MessageBytes">Bytes of a message.</param>
/// <param name="Messages">How many messages passed.</param>
/// <param name="MessagesPerSecond">The median of the rounds.</param>
/// <param name="AllocatedBytesPerMessage">Bytes that the process allocated, its broker's client included.</param>
/// <param name="PeakWorkingSetBytes">The most memory that the process had up to then.</param>
internal sealed record BridgeFigure(
    string Broker, string Direction, int Batch, int MessageBytes, long Messages, double MessagesPerSecond, double AllocatedBytesPerMessage, long PeakWorkingSetBytes);
