namespace BufferedMessages.Bridges.Tests;

/// <summary>Runs for streams, with a header and a body that tell their number.</summary>
internal static class StreamRuns
{
    public static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    public static CancellationToken Deadline => new CancellationTokenSource(Patience).Token;

    public static MessageRun Run(int number, int bodyBytes = 100)
    {
        var header = new byte[MessageRun.HeaderBytes];
        MessageRun.WriteHeader(header, RunKind.Messages, RunFlags.None, 1, Guid.Empty, new ChainPlace(0, number), new ChainPlace(0, number + 1), 0xFEDC_BA98_7654_3210, number);
        return new MessageRun(header, Body(number, bodyBytes));
    }

    public static byte[] Body(int number, int bytes = 100)
    {
        var body = new byte[bytes];
        new Random(number).NextBytes(body);
        return body;
    }

    /// <summary>Writes runs, and waits until the broker has confirmed all of them.</summary>
    public static async Task WriteAllAsync(this IRunWriter writer, int first, int count, int bodyBytes = 100)
    {
        var before = writer.Confirmed;
        for (var number = first; number < first + count; number++)
        {
            await writer.WriteAsync(Run(number, bodyBytes), Deadline);
            if (number - first - (writer.Confirmed - before) >= 127)
            {
                await writer.WaitForConfirmAsync(writer.Confirmed, Deadline);
            }
        }

        await writer.WaitForAsync(before + count);
    }

    /// <summary>Writes runs with a new writer.</summary>
    public static async Task AppendAsync(this IMessageStream stream, int first, int count, int bodyBytes = 100)
    {
        await using var writer = await stream.OpenWriterAsync(Deadline);
        await writer.WriteAllAsync(first, count, bodyBytes);
    }

    /// <summary>Tries until the broker is ready.</summary>
    public static async Task<T> UntilReadyAsync<T>(Func<CancellationToken, ValueTask<T>> open)
    {
        var deadline = Deadline;
        while (true)
        {
            try
            {
                return await open(deadline);
            }
            catch (IOException)
            {
                await Task.Delay(100, deadline);
            }
        }
    }

    public static int Number(in MessageStreamEntry entry)
    {
        Assert.True(MessageRun.TryParse(entry, out var run));
        return (int)run.From;
    }
}
