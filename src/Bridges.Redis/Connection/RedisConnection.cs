using System.Runtime.CompilerServices;
using StackExchange.Redis;

namespace BufferedMessages.Bridges;

/// <summary>
/// A connection of one writer or reader. It is not shared, so that a blocking command holds up only the commands of its own connection, and WAIT covers the writes of its own. It never reconnects,
/// although the client would: a command after a lost one would be stored on the new connection, and WAIT there would not cover the writes before.
/// </summary>
internal sealed class RedisConnection : IAsyncDisposable
{
    private readonly ConnectionMultiplexer _multiplexer;
    private readonly string _stream;
    private int _isDisposed;

    private RedisConnection(ConnectionMultiplexer multiplexer, string stream)
    {
        _multiplexer = multiplexer;
        _stream = stream;
        Database = multiplexer.GetDatabase();
    }

    public IDatabase Database { get; }

    public bool IsDisposed => Volatile.Read(ref _isDisposed) != 0;

    /// <param name="configuration">The user's options.</param>
    /// <param name="stream">The name of the stream, for messages.</param>
    /// <param name="longestWait">How long the server may hold up the reply to a command. The user's timeout begins after it.</param>
    /// <param name="cancellationToken">Ends the attempt.</param>
    public static async Task<RedisConnection> OpenAsync(ConfigurationOptions configuration, string stream, TimeSpan longestWait, CancellationToken cancellationToken)
    {
        var options = configuration.Clone();

        // An attempt that fails ends with an exception; the bridge tries again, with its own delays.
        options.AbortOnConnectFail = true;

        // While the connection is lost, commands fail at once. They are not kept for a later connection.
        options.BacklogPolicy = BacklogPolicy.FailFast;
        options.AsyncTimeout = (int)Math.Min(options.AsyncTimeout + (long)longestWait.TotalMilliseconds, int.MaxValue);
        var isOpen = new StrongBox<bool>();
        CloseLaterSockets(options, isOpen);
        var opening = ConnectionMultiplexer.ConnectAsync(options);
        try
        {
            var multiplexer = await opening.WaitAsync(cancellationToken).ConfigureAwait(false);
            Volatile.Write(ref isOpen.Value, true);
            return new RedisConnection(multiplexer, stream);
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            _ = CloseLaterAsync(opening);
            throw;
        }
        catch (Exception failure) when (failure is not OperationCanceledException)
        {
            throw RedisFailure.OfConnecting(failure, stream);
        }
    }

    /// <summary>Translates a failure of the client or the server to an exception of the contract.</summary>
    public Exception Translate(Exception failure) => IsDisposed ? Disposed() : RedisFailure.Of(failure, _stream);

    public Exception Disposed() => new ObjectDisposedException($"Redis stream '{_stream}'");

    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _isDisposed, 1) == 0)
        {
            await _multiplexer.CloseAsync(allowCommandsToComplete: false).ConfigureAwait(false);
            await _multiplexer.DisposeAsync().ConfigureAwait(false);
        }
    }

    /// <summary>Closes each socket for commands that the client makes when the connection is open already.</summary>
    private static void CloseLaterSockets(ConfigurationOptions options, StrongBox<bool> isOpen)
    {
        var configured = options.BeforeSocketConnect;
        options.BeforeSocketConnect = (endpoint, type, socket) =>
        {
            configured?.Invoke(endpoint, type, socket);
            if (type == ConnectionType.Interactive && Volatile.Read(ref isOpen.Value))
            {
                socket.Dispose();
            }
        };
    }

    private static async Task CloseLaterAsync(Task<ConnectionMultiplexer> opening)
    {
        await ((Task)opening).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (opening.IsCompletedSuccessfully)
        {
            await (await opening.ConfigureAwait(false)).DisposeAsync().ConfigureAwait(false);
        }
    }
}
