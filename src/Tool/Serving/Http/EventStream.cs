using Microsoft.AspNetCore.Http;

namespace BufferedMessages.Tool;

/// <summary>Server-sent events of one page: the last minutes, then each sample, and the new messages of a queue if the page follows it.</summary>
/// <param name="response">Receives them.</param>
/// <param name="sampler">Gives the samples.</param>
/// <param name="queue">The queue that the page shows; null for all.</param>
internal sealed class EventStream(HttpResponse response, QueueSampler sampler, string? queue)
{
    private static readonly TimeSpan FollowPause = TimeSpan.FromMilliseconds(200);

    /// <summary>Sends no event: the open stream only tells the page that the server is there.</summary>
    /// <exception cref="OperationCanceledException">The token.</exception>
    public async Task IdleAsync(CancellationToken token)
    {
        await BeginAsync(token).ConfigureAwait(false);
        await Task.Delay(Timeout.InfiniteTimeSpan, token).ConfigureAwait(false);
    }

    /// <summary>Sends events until the page leaves.</summary>
    /// <param name="follower">Reads new messages; null for none.</param>
    /// <param name="token">The page left, or the command ends.</param>
    /// <exception cref="OperationCanceledException">The token.</exception>
    public async Task RunAsync(Follower? follower, CancellationToken token)
    {
        await BeginAsync(token).ConfigureAwait(false);
        using var page = sampler.Join();
        var known = 0L;
        while (true)
        {
            token.ThrowIfCancellationRequested();
            if (follower is not null && Read(follower, out var isFault) is { } news)
            {
                await SendAsync(isFault ? "fault" : "records", news, token).ConfigureAwait(false);
                follower = isFault ? null : follower;
            }

            var next = sampler.AfterAsync(known);
            if (follower is not null && !next.IsCompleted)
            {
                await Task.WhenAny(next, Task.Delay(FollowPause, token)).ConfigureAwait(false);
            }

            if (follower is null || next.IsCompleted)
            {
                known = await SendSampleAsync(await next.WaitAsync(token).ConfigureAwait(false), known == 0, token).ConfigureAwait(false);
            }
        }
    }

    private async Task BeginAsync(CancellationToken token)
    {
        response.ContentType = "text/event-stream";

        // A comment, which begins the stream.
        await response.WriteAsync(":\n\n", token).ConfigureAwait(false);
        await response.Body.FlushAsync(token).ConfigureAwait(false);
    }

    private async Task<long> SendSampleAsync(QueueSamples samples, bool isFirst, CancellationToken token)
    {
        if (isFirst)
        {
            await SendAsync("history", samples.HistoryToJson(queue), token).ConfigureAwait(false);
        }

        await SendAsync("sample", samples.ToJson(queue), token).ConfigureAwait(false);
        return samples.Number;
    }

    private async Task SendAsync(string kind, ReadOnlyMemory<byte> json, CancellationToken token)
    {
        await response.WriteAsync($"event: {kind}\ndata: ", token).ConfigureAwait(false);
        await response.Body.WriteAsync(json, token).ConfigureAwait(false);
        await response.WriteAsync("\n\n", token).ConfigureAwait(false);
        await response.Body.FlushAsync(token).ConfigureAwait(false);
    }

    private static ReadOnlyMemory<byte>? Read(Follower follower, out bool isFault)
    {
        isFault = false;
        try
        {
            return follower.Read();
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or NotSupportedException or QueueCorruptedException or InvalidOperationException)
        {
            isFault = true;
            return PageJson.Sentence(exception.Message);
        }
    }
}
