using Microsoft.Extensions.Logging;

namespace BufferedMessages.Hosting;

/// <summary>The log messages of requests.</summary>
internal static partial class RequestLog
{
    [LoggerMessage(101, LogLevel.Warning, "Responder {Responder} of queue {Queue} failed to handle request {Position}. The client was told.")]
    public static partial void RequestFailed(this ILogger logger, Exception? exception, string queue, string responder, long position);

    [LoggerMessage(102, LogLevel.Warning, "A reply of queue {Queue} was dropped: the queue {ReplyTo} of its client stayed full. The client does not read its replies; further ones are dropped without a log message.")]
    public static partial void ReplyQueueFull(this ILogger logger, string queue, string replyTo);

    [LoggerMessage(103, LogLevel.Information, "A reply of queue {Queue} was dropped: the queue {ReplyTo} of its client cannot be used.")]
    public static partial void ReplyQueueLost(this ILogger logger, Exception exception, string queue, string replyTo);

    [LoggerMessage(104, LogLevel.Warning, "No responder {Responder} of queue {Queue} is alive. Requests that failed: {Count}. Until one is alive, further requests fail without a log message.")]
    public static partial void RespondersLost(this ILogger logger, string queue, string responder, int count);

    [LoggerMessage(105, LogLevel.Error, "Queue {Queue}, or the reply queue {ReplyTo} of its client, can no longer be read. The requests of the client failed. The next one opens another reply queue.")]
    public static partial void RequestsEnded(this ILogger logger, Exception exception, string queue, string replyTo);

    [LoggerMessage(106, LogLevel.Warning, "The client of request {Position} of queue {Queue} could not be told that responder {Responder} failed.")]
    public static partial void ClientNotTold(this ILogger logger, Exception exception, string queue, string responder, long position);
}
