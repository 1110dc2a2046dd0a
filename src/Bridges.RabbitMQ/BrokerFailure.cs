using System.Net.Sockets;
using System.Security.Authentication;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;
using RabbitMQ.Client.Exceptions;

namespace BufferedMessages.Bridges;

/// <summary>
/// The client's exceptions as those of the contract: <see cref="IOException"/> for a failure that may pass, <see cref="UnauthorizedAccessException"/> and <see cref="ArgumentException"/> for one that stays.
/// </summary>
internal static class BrokerFailure
{
    private const ushort AccessRefused = 403;
    private const ushort NotFound = 404;
    private const ushort PreconditionFailed = 406;
    private const ushort NotAllowed = 530;
    private const string LateAcknowledgement = "delivery acknowledgement";

    public static bool IsCancellation(Exception exception, CancellationToken cancellationToken) => exception is OperationCanceledException && cancellationToken.IsCancellationRequested;

    /// <summary>Whether the client throws such an exception for a connection that fails.</summary>
    public static bool IsOfClient(Exception exception) =>
        exception is RabbitMQClientException or IOException or SocketException or TimeoutException or OperationCanceledException or ObjectDisposedException or InvalidOperationException;

    public static Exception OfOpening(string stream, AmqpTcpEndpoint endpoint, Exception exception)
    {
        if (exception is OperationCanceledException)
        {
            return new IOException($"RabbitMQ at {endpoint} did not answer in time for stream '{stream}'. ConnectionFactory.RequestedConnectionTimeout and HandshakeContinuationTimeout are the limit.", exception);
        }

        for (var cause = exception; cause is not null; cause = Inner(cause))
        {
            // Brokers say for certain when they refuse the credentials; a connection that ends during the handshake is only a guess of the client.
            if (cause is AuthenticationFailureException || IsRefusal(cause))
            {
                return new UnauthorizedAccessException($"RabbitMQ at {endpoint} refused access to stream '{stream}': {cause.Message} Check the user, the password and the virtual host.", exception);
            }

            if (cause is AuthenticationException)
            {
                return new IOException($"TLS with RabbitMQ at {endpoint} failed for stream '{stream}': {cause.Message}", exception);
            }
        }

        return new IOException($"RabbitMQ at {endpoint} cannot be reached for stream '{stream}': {Innermost(exception).Message}", exception);
    }

    public static Exception OfDeclaration(string stream, Exception exception) =>
        exception is OperationInterruptedException { ShutdownReason: { ReplyCode: PreconditionFailed } reason }
            ? new ArgumentException(
                $"RabbitMQ refused the declaration of stream '{stream}': {reason.ReplyText}. The arguments of a stream are fixed when it is created: " +
                "set RabbitMqMessageStreamOptions to the values that it was created with, or delete the stream.",
                exception)
            : OfSession(stream, exception);

    public static Exception OfConsumer(string stream, Exception exception) =>
        exception is OperationInterruptedException { ShutdownReason: { ReplyCode: PreconditionFailed } reason }
            ? new ArgumentException($"RabbitMQ cannot read '{stream}' as a stream: {reason.ReplyText}. Name a queue of type \"stream\".", exception)
            : OfSession(stream, exception);

    /// <summary>A failure of an open connection.</summary>
    public static Exception OfSession(string stream, Exception exception) => exception switch
    {
        RunRefusedException or UnauthorizedAccessException => exception,
        OperationInterruptedException { ShutdownReason: { } reason } => OfShutdown(stream, reason, exception),
        _ => new IOException($"The connection to RabbitMQ's stream '{stream}' is lost: {Innermost(exception).Message}", exception),
    };

    /// <summary>A channel or a connection that ended.</summary>
    public static Exception OfShutdown(string stream, ShutdownEventArgs reason, Exception? exception = null)
    {
        exception ??= reason.Exception;
        return reason.ReplyCode switch
        {
            AccessRefused => new UnauthorizedAccessException(
                $"RabbitMQ refused access to stream '{stream}': {reason.ReplyText}. " +
                "Writers need the permissions configure for the stream and write for the exchange amq.default, readers read for the stream.",
                exception),
            NotFound => new IOException($"RabbitMQ's stream '{stream}' does not exist, or its node is not ready: {reason.ReplyText}", exception),
            PreconditionFailed when reason.ReplyText.Contains(LateAcknowledgement, StringComparison.Ordinal) => new IOException(
                $"RabbitMQ ended the channel of stream '{stream}': {reason.ReplyText}. An entry was not acknowledged within the broker's consumer_timeout.", exception),
            PreconditionFailed => new RunRefusedException(
                $"RabbitMQ ended the channel of stream '{stream}': {reason.ReplyText}. If a message is too large, lower RabbitMqMessageStreamOptions.MaxBodyBytes or raise the broker's max_message_size.", exception),
            _ => new IOException($"The connection to RabbitMQ's stream '{stream}' is lost: {reason.ReplyText}", exception),
        };
    }

    private static bool IsRefusal(Exception exception) => exception is OperationInterruptedException { ShutdownReason: { } reason }
        && (reason.ReplyCode == AccessRefused || (reason.ReplyCode == NotAllowed && IsOfUser(reason.ReplyText)));

    // The broker also refuses a user, or all users of a virtual host, while there are too many connections: "connection limit (100) is reached".
    private static bool IsOfUser(string text) => text.Contains("refused for user", StringComparison.Ordinal) && !text.EndsWith("is reached", StringComparison.Ordinal);

    // One endpoint of several that failed is enough to show the cause.
    private static Exception? Inner(Exception exception) => exception is AggregateException { InnerExceptions: [var first, ..] } ? first : exception.InnerException;

    private static Exception Innermost(Exception exception)
    {
        while (Inner(exception) is { } inner)
        {
            exception = inner;
        }

        return exception;
    }
}
