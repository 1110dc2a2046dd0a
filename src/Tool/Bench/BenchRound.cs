using System.Diagnostics;

namespace BufferedMessages.Tool;

/// <summary>One round of the bench: a producer and a consumer, until a time is over and every message is read.</summary>
internal static class BenchRound
{
    /// <summary>The largest message.</summary>
    public const int MaxBytes = 16 * 1024 * 1024;

    /// <summary>The most that the queue takes of the disk.</summary>
    public const long HardLimitBytes = 512L * 1024 * 1024;

    private const int MessagesPerLook = 64;

    /// <summary>Runs it.</summary>
    /// <returns>Messages a second, from the first publish to the last commit.</returns>
    public static double Run(string path, MessageQueueOptions options, int bytes, TimeSpan span, CancellationToken token)
    {
        using var queue = MessageQueue.Open(path, options);
        using var consumer = queue.OpenConsumer<RawMessage>("bench");
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(token);
        var published = 0L;
        Exception? failure = null;
        var start = Stopwatch.GetTimestamp();
        var producing = new Thread(() =>
        {
            try
            {
                Volatile.Write(ref published, Publish(queue, bytes, span, stop.Token));
            }
            catch (OperationCanceledException) when (stop.IsCancellationRequested)
            {
                // The end of the bench, or of its consumer.
            }
            catch (Exception exception)
            {
                failure = exception;
                stop.Cancel();
            }
        });
        producing.Start();
        try
        {
            var read = 0L;
            while (producing.IsAlive || read < Volatile.Read(ref published))
            {
                if (consumer.TryRead(out var delivery, TimeSpan.FromMilliseconds(1), stop.Token))
                {
                    read++;
                    delivery.Commit();
                }
            }

            return failure is null ? read / Stopwatch.GetElapsedTime(start).TotalSeconds : throw new ToolException($"The producer failed: {failure.Message}");
        }
        catch (OperationCanceledException) when (failure is not null)
        {
            throw new ToolException($"The producer failed: {failure.Message}");
        }
        finally
        {
            stop.Cancel();
            producing.Join();
        }
    }

    private static long Publish(MessageQueue queue, int bytes, TimeSpan span, CancellationToken token)
    {
        using var producer = queue.OpenProducer();
        var payload = new byte[bytes];
        var start = Stopwatch.GetTimestamp();
        var published = 0L;
        do
        {
            for (var i = 0; i < MessagesPerLook; i++)
            {
                producer.Publish(payload, token);
                published++;
            }
        }
        while (Stopwatch.GetElapsedTime(start) < span && !token.IsCancellationRequested);

        return published;
    }
}
