using System.Security.Authentication;
using StackExchange.Redis;

namespace BufferedMessages.Bridges;

/// <summary>The failures of the client and the server, as exceptions of the contract.</summary>
internal static class RedisFailure
{
    private const string RepeatedId = "equal or smaller than the target stream top item";
    private const string MissingKey = "no such key";
    private const string TooLong = "invalid bulk length";

    /// <summary>Whether the server refused an entry because its id is not above the last one.</summary>
    public static bool IsRepeat(RedisServerException failure) => failure.Message.Contains(RepeatedId, StringComparison.Ordinal);

    /// <summary>Whether the stream does not exist.</summary>
    public static bool IsMissingKey(RedisServerException failure) => failure.Message.Contains(MissingKey, StringComparison.Ordinal);

    /// <summary>Whether an exception is one that the client throws for a command.</summary>
    public static bool IsOfCommand(Exception failure) => failure is RedisException or RedisCommandException or TimeoutException or ObjectDisposedException;

    public static Exception OfConnecting(Exception failure, string stream) => IsAuthentication(failure)
        ? new UnauthorizedAccessException($"The Redis server of stream '{stream}' refused the credentials. Check the user and the password in the configuration. {failure.Message}", failure)
        : new IOException(
            $"The Redis server of stream '{stream}' cannot be reached, is not ready, or does not permit the user ECHO, without which the client does not connect. {failure.Message}", failure);

    public static Exception Of(Exception failure, string stream) => failure switch
    {
        RedisServerException { Kind: RedisErrorKind.WrongType } => new ArgumentException($"The key '{stream}' holds a value that is not a stream. Choose another name for the stream.", failure),
        RedisServerException { Kind: RedisErrorKind.NoAuth or RedisErrorKind.WrongPass } => OfConnecting(failure, stream),
        RedisServerException { Kind: RedisErrorKind.NoPermission or RedisErrorKind.NotPermitted } => new UnauthorizedAccessException(
            $"The user of the configuration lacks a permission for Redis stream '{stream}'. Writers use XADD, XINFO, XREVRANGE, XSETID and WAIT; readers use XREAD and XINFO; the client needs the category @connection. {failure.Message}", failure),
        RedisServerException when failure.Message.Contains(TooLong, StringComparison.Ordinal) => new RunRefusedException(
            $"The Redis server does not accept a run of this size for stream '{stream}'. Lower RedisMessageStreamOptions.MaxBodyBytes, or raise the server's proto-max-bulk-len. {failure.Message}", failure),
        RedisServerException => new RunRefusedException($"The Redis server refused a command for stream '{stream}': {failure.Message}", failure),
        RedisConnectionException when IsAuthentication(failure) => OfConnecting(failure, stream),
        RedisCommandException => new IOException($"The client did not send a command for Redis stream '{stream}'. {failure.Message}", failure),
        _ when IsOfCommand(failure) => new IOException($"The connection to the Redis server of stream '{stream}' is lost. {failure.Message}", failure),
        _ => failure,
    };

    /// <summary>
    /// The client also reports a certificate that is not trusted as a failed authentication. The certificate may be replaced while the bridge runs, so this is not a failure of credentials.
    /// </summary>
    private static bool IsAuthentication(Exception? failure) => failure switch
    {
        null or { InnerException: AuthenticationException } => false,
        RedisConnectionException { FailureType: ConnectionFailureType.AuthenticationFailure } => true,
        RedisServerException { Kind: RedisErrorKind.NoAuth or RedisErrorKind.WrongPass } => true,
        _ => IsAuthentication(failure.InnerException),
    };
}
