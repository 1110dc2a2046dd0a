using Microsoft.Extensions.Logging;

namespace BufferedMessages.Hosting;

/// <summary>The log messages of queues and handlers in hosts.</summary>
internal static partial class HostingLog
{
    /// <summary>The category of the messages.</summary>
    public const string Category = "BufferedMessages.Hosting";

    [LoggerMessage(1, LogLevel.Information, "Queue {Queue} is open in {Directory}.")]
    public static partial void QueueOpened(this ILogger logger, string queue, string directory);

    [LoggerMessage(2, LogLevel.Error, "Queue {Queue} could not be opened in {Directory}.")]
    public static partial void QueueNotOpened(this ILogger logger, Exception exception, string queue, string directory);

    [LoggerMessage(3, LogLevel.Information, "Handler {Handler} of queue {Queue} has started with {Workers} workers.")]
    public static partial void Started(this ILogger logger, string queue, string handler, int workers);

    [LoggerMessage(4, LogLevel.Information, "Handler {Handler} of queue {Queue} has stopped: {Handled} messages handled, {FailedAttempts} attempts failed, {DeadLetters} dead letters.")]
    public static partial void Stopped(this ILogger logger, string queue, string handler, long handled, long failedAttempts, long deadLetters);

    [LoggerMessage(5, LogLevel.Warning, "The stop no longer waits for {Count} messages of handler {Handler} of queue {Queue}. Their token is cancelled; those that do not finish are delivered again.")]
    public static partial void Cancelling(this ILogger logger, string queue, string handler, int count);

    [LoggerMessage(6, LogLevel.Error, "Handler {Handler} of queue {Queue} ignores its cancelled token. It still has {Count} messages, which are not committed unless it completes.")]
    public static partial void NotStopped(this ILogger logger, string queue, string handler, int count);

    [LoggerMessage(7, LogLevel.Warning, "Handler {Handler} of queue {Queue} failed at message {Position}, attempt {Attempt}. The next attempt follows after {Milliseconds} ms.")]
    public static partial void Retrying(this ILogger logger, Exception exception, string queue, string handler, long position, int attempt, double milliseconds);

    [LoggerMessage(8, LogLevel.Error, "Message {Position} of queue {Queue} went to the dead letters of handler {Handler} after {Attempts} attempts: {Reason}")]
    public static partial void DeadLettered(this ILogger logger, Exception? exception, string queue, string handler, long position, int attempts, string reason);

    [LoggerMessage(9, LogLevel.Critical, "The dead letter of message {Position} of queue {Queue} could not be stored. Handler {Handler} keeps the message, pauses for {BreakDuration}, and tries again.")]
    public static partial void DeadLetterNotStored(this ILogger logger, Exception exception, string queue, string handler, long position, TimeSpan breakDuration);

    [LoggerMessage(10, LogLevel.Warning, "Handler {Handler} of queue {Queue} is paused.")]
    public static partial void Paused(this ILogger logger, string queue, string handler);

    [LoggerMessage(11, LogLevel.Information, "Handler {Handler} of queue {Queue} has resumed.")]
    public static partial void Resumed(this ILogger logger, string queue, string handler);

    [LoggerMessage(12, LogLevel.Error, "Handler {Handler} of queue {Queue} pauses for {BreakDuration} after {Failures} failed attempts in a row, and then tries one message.")]
    public static partial void CircuitOpened(this ILogger logger, Exception exception, string queue, string handler, TimeSpan breakDuration, int failures);

    [LoggerMessage(13, LogLevel.Critical, "Handler {Handler} of queue {Queue} cannot go on. The host keeps running without it.")]
    public static partial void Failed(this ILogger logger, Exception exception, string queue, string handler);

    [LoggerMessage(14, LogLevel.Warning, "Retention deleted messages of queue {Queue} that handler {Handler} had not read, from position {Position} to {FirstPosition}. It goes on at the first one that is left.")]
    public static partial void MessagesDeleted(this ILogger logger, string queue, string handler, long position, long firstPosition);

    [LoggerMessage(15, LogLevel.Warning, "The attempts at message {Position} of queue {Queue} could not be recorded for handler {Handler}. If the message kills the process, it is tried more often than allowed.")]
    public static partial void AttemptNotNoted(this ILogger logger, Exception exception, string queue, string handler, long position);

    [LoggerMessage(17, LogLevel.Error, "A callback on the token of handler {Handler} of queue {Queue} failed.")]
    public static partial void CallbackFailed(this ILogger logger, Exception exception, string queue, string handler);

    [LoggerMessage(18, LogLevel.Error, "A worker of handler {Handler} of queue {Queue} has ended, and its services failed when they were disposed.")]
    public static partial void NotDisposed(this ILogger logger, Exception exception, string queue, string handler);

    [LoggerMessage(19, LogLevel.Error, "Queue {Queue} cannot be read now. Handler {Handler} pauses for {BreakDuration}, and tries again.")]
    public static partial void NotRead(this ILogger logger, Exception exception, string queue, string handler, TimeSpan breakDuration);

    [LoggerMessage(20, LogLevel.Error, "Message {Position} of queue {Queue} is lost, since handler {Handler} could not handle it after {Attempts} attempts and keeps no dead letters: {Reason}")]
    public static partial void Dropped(this ILogger logger, Exception? exception, string queue, string handler, long position, int attempts, string reason);

    [LoggerMessage(EventId = 16, Message = "Queue {Queue}: {Kind}: {Message}")]
    public static partial void QueueReported(this ILogger logger, LogLevel level, string queue, QueueEventKind kind, string message);
}
