using static BufferedMessages.Bridges.Tests.BridgeDirectory;

namespace BufferedMessages.Bridges.Tests;

/// <summary>A directory and a stream in memory for the tests of a class, and the steps that they share.</summary>
public abstract class BridgeFixture : IDisposable
{
    private protected static readonly ReceiverOptions Eager = new() { FirstRetryDelay = TimeSpan.FromMilliseconds(1) };

    private protected BridgeDirectory Directories { get; } = new();

    private protected FakeStream Stream { get; } = new();

    public void Dispose()
    {
        Directories.Dispose();
        GC.SuppressFinalize(this);
    }

    protected string JournalPath => Path.Combine(Directories.PathOf("destination"), "bridges", "orders.json");

    protected static IEnumerable<long> Sequence(int first, int count) => Enumerable.Range(first, count).Select(static i => (long)i);

    private protected async Task ForwardAllAsync(MessageQueue source, int batch = 10, FakeStream? stream = null)
    {
        await using var forwarder = source.ForwardTo(stream ?? Stream, new ForwarderOptions { BatchMessages = batch });
        await UntilAsync(() => forwarder.GetStatistics().LagBytes == 0 || forwarder.Completion.IsFaulted, "all are confirmed");
        Assert.False(forwarder.Completion.IsFaulted, $"{forwarder.Completion.Exception}");
    }

    private protected Task ReceiveAllAsync(MessageQueue destination, int count, FakeStream? stream = null) => ReceiveAllAsync(destination, count, Eager, stream);

    private protected async Task ReceiveAllAsync(MessageQueue destination, int count, ReceiverOptions options, FakeStream? stream = null)
    {
        await using var receiver = destination.ReceiveFrom(stream ?? Stream, options);
        await UntilAsync(() => receiver.GetStatistics().Received == count || receiver.Completion.IsFaulted, $"{count} messages, and not {receiver.GetStatistics().Received}");
    }

    // The stream as it was earlier.
    private protected FakeStream FirstRuns(int runs)
    {
        var earlier = new FakeStream();
        earlier.AppendAll(Stream.Entries.Take(runs + 1));

        return earlier;
    }
}
