using Microsoft.Extensions.Logging;

namespace BufferedMessages.Bridges;

/// <summary>The log messages of bridges.</summary>
internal static partial class BridgeLog
{
    [LoggerMessage(1, LogLevel.Information, "Bridge {Bridge} of the queue in {Directory} is connected to stream {Stream}.")]
    public static partial void Connected(this ILogger logger, string bridge, string directory, string stream);

    [LoggerMessage(2, LogLevel.Warning, "Bridge {Bridge} of the queue in {Directory} is held up, and tries again in {Milliseconds} ms.")]
    public static partial void Retrying(this ILogger logger, Exception failure, string bridge, string directory, double milliseconds);

    [LoggerMessage(3, LogLevel.Error, "Bridge {Bridge} of the queue in {Directory} has stopped. When it is opened again, it continues where it stopped.")]
    public static partial void Stopped(this ILogger logger, Exception cause, string bridge, string directory);

    [LoggerMessage(4, LogLevel.Information, "Bridge {Bridge} of the queue in {Directory} is closed.")]
    public static partial void Closed(this ILogger logger, string bridge, string directory);

    [LoggerMessage(5, LogLevel.Warning, "Bridge {Bridge} put a message into its dead letters in {DeadLetters}: {Reason}")]
    public static partial void DeadLetter(this ILogger logger, string bridge, string deadLetters, string reason);

    [LoggerMessage(6, LogLevel.Warning, "Bridge {Bridge} of the queue in {Directory} goes on after messages that retention deleted: {Place}.")]
    public static partial void Skipped(this ILogger logger, string bridge, string directory, string place);

    [LoggerMessage(7, LogLevel.Information, "Bridge {Bridge} dropped a run of {Count} messages at offset {Offset}: messages before it are missing, and will come again.")]
    public static partial void Hole(this ILogger logger, string bridge, int count, StreamOffset offset);

    [LoggerMessage(8, LogLevel.Error, "Bridge {Bridge} of the queue in {Directory} cannot be opened.")]
    public static partial void NotOpened(this ILogger logger, Exception cause, string bridge, string directory);

    [LoggerMessage(9, LogLevel.Warning, "The journal of bridge {Bridge} of the queue in {Directory} is that of stream {Other} of {OtherSystem}. The bridge begins stream {Stream} of {System} at the Start of its options, and drops the messages that the queue has.")]
    public static partial void OtherStream(this ILogger logger, string bridge, string directory, string other, string otherSystem, string stream, string system);

    [LoggerMessage(10, LogLevel.Warning, "Bridge {Bridge} of the queue in {Directory} could not write its journal at its end. The next one begins at the journal before, or at the Start of its options if there is none, and drops the messages that the queue has.")]
    public static partial void JournalNotWritten(this ILogger logger, Exception failure, string bridge, string directory);
}
