using System.Globalization;
using System.Text;
using Microsoft.AspNetCore.Http;

namespace BufferedMessages.Tool;

/// <summary>Answers the requests of pages. Thread-safe.</summary>
/// <param name="call">The command that serves.</param>
/// <param name="folders">The queues and caches that may be shown.</param>
/// <param name="sampler">Samples the queues.</param>
/// <param name="changes">Proves that a change is allowed; null if none is.</param>
internal sealed class PageRequests(Call call, ServedFolders folders, QueueSampler sampler, ChangeToken? changes)
{
    private const int MaxEntries = 500;
    private const int MaxBodyBytes = 16 * 1024;
    private const string JsonType = "application/json; charset=utf-8";

    /// <summary>Answers a request.</summary>
    public async Task AnswerAsync(HttpContext context)
    {
        using var end = CancellationTokenSource.CreateLinkedTokenSource(context.RequestAborted, call.Token);
        try
        {
            await (HttpMethods.IsGet(context.Request.Method) ? ShowAsync(context, end.Token) : ChangeAsync(context, end.Token)).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (end.IsCancellationRequested)
        {
            // The page left, or the command ends.
        }
        catch (Exception exception) when (!context.Response.HasStarted)
        {
            await RefuseAsync(context, exception).ConfigureAwait(false);
        }
    }

    private async Task ShowAsync(HttpContext context, CancellationToken token)
    {
        var path = context.Request.Path.Value ?? "/";
        if (PageFiles.Find(path) is { } file)
        {
            await SendAsync(context, file.Type, file.Content, token).ConfigureAwait(false);
            return;
        }

        if (path is "/api/events")
        {
            await SendEventsAsync(context, token).ConfigureAwait(false);
            return;
        }

        // Files are read in many of these: the server's thread is not kept waiting.
        var answer = await Task.Run(() => AnswerAsync(path, context.Request.Query, token), token).ConfigureAwait(false);
        await SendAsync(context, JsonType, answer, token).ConfigureAwait(false);
    }

    private async Task<ReadOnlyMemory<byte>> AnswerAsync(string path, IQueryCollection query, CancellationToken token) => path switch
    {
        "/api/start" => PageJson.Start(folders, changes is not null),
        "/api/queue" => await LineAsync(token, "info", "--json", "--", Queue(query, token)).ConfigureAwait(false),
        "/api/queue/schema" => await LinesAsync(token, "schema", "--json", "--", Queue(query, token)).ConfigureAwait(false),
        "/api/queue/dead" => await LinesAsync(token, "dead", "ls", "--json", "--", Queue(query, token)).ConfigureAwait(false),
        "/api/queue/dead/letters" => await LinesAsync(token, "dead", "show", "--json", $"--handler={Value(query, "name")}", "--", Queue(query, token)).ConfigureAwait(false),
        "/api/queue/messages" => MessagePage.Read(call, Queue(query, token), query["from"] is [var from] ? from : null, query.ContainsKey("before") ? Position(query, "before") : null, token),
        "/api/caches" => PageJson.Caches(folders.List(token).Where(static served => served.Target.Kind == TargetKind.Cache)),
        "/api/cache" => await LineAsync(token, "cache", "info", "--json", "--", Cache(query, token)).ConfigureAwait(false),
        "/api/cache/entries" => await LinesAsync(token, "cache", "ls", "--json", "--", Cache(query, token)).ConfigureAwait(false),
        _ => throw new RefusedException(RefusalKind.Missing, "Page not found."),
    };

    private async Task ChangeAsync(HttpContext context, CancellationToken token)
    {
        var request = context.Request;
        if (HttpMethods.IsHead(request.Method) || HttpMethods.IsOptions(request.Method))
        {
            context.Response.Headers.Allow = "GET";
            throw new RefusedException(RefusalKind.Method, "Only GET is understood, and POST for changes.");
        }

        if (changes is null)
        {
            throw new RefusedException(RefusalKind.Forbidden, "This page changes nothing. Start `bufferedmessages serve` with --allow-changes.");
        }

        if (request.Headers[ChangeToken.Header] is not [var given] || !changes.Matches(given))
        {
            throw new RefusedException(RefusalKind.Forbidden, "To change something, open the page by the address that `bufferedmessages serve --allow-changes` printed.");
        }

        if (!HttpMethods.IsPost(request.Method) || request.Path.Value is not "/api/change")
        {
            context.Response.Headers.Allow = "GET, POST";
            throw new RefusedException(RefusalKind.Method, "A change is a POST to /api/change.");
        }

        using var body = new MemoryStream(MaxBodyBytes);
        await request.Body.CopyToAsync(body, token).ConfigureAwait(false);
        var command = PageChanges.CommandLine(body.GetBuffer().AsSpan(0, (int)body.Length), path => folders.Find(path, TargetKind.Queue, token));
        var answer = await Task.Run(() => LinesAsync(token, command), token).ConfigureAwait(false);
        await SendAsync(context, JsonType, answer, token).ConfigureAwait(false);
    }

    private async Task SendEventsAsync(HttpContext context, CancellationToken token)
    {
        var query = context.Request.Query;
        var queue = query.ContainsKey("path") ? Queue(query, token) : null;
        using var follower = queue is not null && query["follow"] is [var follow]
            ? new Follower(queue, follow is "latest" ? QueueStart.Latest : QueueStart.At(Position(query, "follow")))
            : null;
        var events = new EventStream(context.Response, sampler, queue);
        await (query.ContainsKey("idle") ? events.IdleAsync(token) : events.RunAsync(follower, token)).ConfigureAwait(false);
    }

    private async Task<ReadOnlyMemory<byte>> LineAsync(CancellationToken token, params string[] arguments)
    {
        var answer = await CommandAnswer.RunAsync(call, maxLines: 1, token, arguments).ConfigureAwait(false);
        return Encoding.UTF8.GetBytes(answer.Lines[0]);
    }

    private async Task<ReadOnlyMemory<byte>> LinesAsync(CancellationToken token, params string[] arguments) =>
        PageJson.Lines(await CommandAnswer.RunAsync(call, MaxEntries, token, arguments).ConfigureAwait(false));

    private string Queue(IQueryCollection query, CancellationToken token) => folders.Find(Value(query, "path"), TargetKind.Queue, token).Target.Path;

    private string Cache(IQueryCollection query, CancellationToken token) => folders.Find(Value(query, "path"), TargetKind.Cache, token).Target.Path;

    private static string Value(IQueryCollection query, string name) =>
        query[name] is [{ Length: > 0 } value] ? value : throw new RefusedException(RefusalKind.Malformed, $"The request has no '{name}'.");

    private static long Position(IQueryCollection query, string name) =>
        long.TryParse(Value(query, name), NumberStyles.None, CultureInfo.InvariantCulture, out var position) ? position : throw new RefusedException(RefusalKind.Malformed, $"'{name}' is not a position.");

    private async Task RefuseAsync(HttpContext context, Exception exception)
    {
        context.Response.StatusCode = exception switch
        {
            RefusedException refused => (int)refused.Kind,
            BadHttpRequestException bad => bad.StatusCode,
            ToolException or IOException or UnauthorizedAccessException or InvalidOperationException or NotSupportedException or ArgumentException or QueueCorruptedException or StaleQueueException
                => (int)RefusalKind.Failed,
            _ => StatusCodes.Status500InternalServerError,
        };
        await SendAsync(context, JsonType, PageJson.Sentence(exception.Message), call.Token).ConfigureAwait(false);
    }

    private static async Task SendAsync(HttpContext context, string type, ReadOnlyMemory<byte> content, CancellationToken token)
    {
        context.Response.ContentType = type;
        context.Response.ContentLength = content.Length;
        await context.Response.Body.WriteAsync(content, token).ConfigureAwait(false);
    }
}
