namespace BufferedMessages.Bridges.Tests;

/// <summary>Calls of streams with a deadline, which ends a test that would hang.</summary>
internal static class StreamCalls
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    public static async Task WriteAllAsync(this IRunWriter writer, params MessageRun[] runs)
    {
        using var deadline = new CancellationTokenSource(Patience);
        foreach (var run in runs)
        {
            await writer.WriteAsync(run, deadline.Token);
        }
    }

    /// <summary>Writes runs and waits until all runs of the writer are confirmed.</summary>
    public static async Task StoreAsync(this IRunWriter writer, params MessageRun[] runs)
    {
        var wanted = writer.Confirmed + runs.Length;
        await writer.WriteAllAsync(runs);
        await writer.WaitForAsync(wanted);
    }

    public static async Task WaitForAsync(this IRunWriter writer, long wanted)
    {
        using var deadline = new CancellationTokenSource(Patience);
        while (writer.Confirmed < wanted)
        {
            await writer.WaitForConfirmAsync(writer.Confirmed, deadline.Token);
        }
    }

    /// <summary>Opens a writer, stores runs, and closes it.</summary>
    public static async Task StoreAsync(this IMessageStream stream, params MessageRun[] runs)
    {
        await using var writer = await stream.OpenWriterAsync(default);
        await writer.StoreAsync(runs);
    }

    public static async Task<MessageStreamEntry> ReadAsync(this IRunReader reader)
    {
        using var deadline = new CancellationTokenSource(Patience);
        return await reader.ReadAsync(deadline.Token);
    }

    public static async Task<MessageRun> ReadRunAsync(this IRunReader reader)
    {
        var entry = await reader.ReadAsync();
        Assert.True(MessageRun.TryParse(entry, out var run));
        return run;
    }

    public static void AssertSame(MessageRun expected, MessageRun actual)
    {
        Assert.Equal(expected.Header.ToArray(), actual.Header.ToArray());
        Assert.Equal(expected.Body.ToArray(), actual.Body.ToArray());
    }
}
