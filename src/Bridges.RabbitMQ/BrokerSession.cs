using RabbitMQ.Client;
using RabbitMQ.Client.Events;

namespace BufferedMessages.Bridges;

/// <summary>A connection with one channel. It is not opened again after a failure.</summary>
internal sealed class BrokerSession : IAsyncDisposable
{
    private const ushort ReplySuccess = 200;
    private static readonly TimeSpan CloseTimeout = TimeSpan.FromSeconds(5);

    // The longest time that a timer can wait, rounded down.
    private static readonly TimeSpan LongestTimer = TimeSpan.FromDays(24);

    private readonly IConnection _connection;
    private int _isDisposed;

    public BrokerSession(string stream, IConnection connection, IChannel channel)
    {
        Stream = stream;
        _connection = connection;
        Channel = channel;
    }

    /// <summary>The name of the stream.</summary>
    public string Stream { get; }

    public IChannel Channel { get; }

    /// <summary>The most bytes of a frame, which the header of a message has to fit into.</summary>
    public long MaxFrameBytes => _connection.FrameMax == 0 ? long.MaxValue : _connection.FrameMax;

    /// <exception cref="IOException">The broker cannot be reached.</exception>
    /// <exception cref="UnauthorizedAccessException">The broker does not accept the credentials.</exception>
    public static async Task<BrokerSession> OpenAsync(ConnectionFactory factory, string stream, bool confirms, CancellationToken cancellationToken)
    {
        // The client waits without a limit for the first bytes of a broker that has accepted the connection.
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limit.CancelAfter(LimitOf(factory));
        IConnection? connection = null;
        try
        {
            connection = await factory.CreateConnectionAsync(factory.ClientProvidedName ?? $"BufferedMessages {stream}", limit.Token).ConfigureAwait(false);

            // The writer counts the confirms itself.
            var options = new CreateChannelOptions(confirms, publisherConfirmationTrackingEnabled: false, consumerDispatchConcurrency: 1);
            var channel = await connection.CreateChannelAsync(options, cancellationToken).ConfigureAwait(false);
            return new BrokerSession(stream, connection, channel);
        }
        catch (Exception exception)
        {
            await CloseAsync(connection).ConfigureAwait(false);
            if (BrokerFailure.IsCancellation(exception, cancellationToken))
            {
                throw;
            }

            throw BrokerFailure.OfOpening(stream, factory.Endpoint, exception);
        }
    }

    /// <summary>Creates the stream if it does not exist.</summary>
    /// <exception cref="ArgumentException">It exists with another declaration.</exception>
    public async Task DeclareAsync(RabbitMqMessageStreamOptions options, CancellationToken cancellationToken)
    {
        try
        {
            await Channel.QueueDeclareAsync(Stream, durable: true, exclusive: false, autoDelete: false, StreamArguments.OfDeclaration(options), passive: false, noWait: false, cancellationToken)
                .ConfigureAwait(false);
        }
        catch (Exception exception) when (!BrokerFailure.IsCancellation(exception, cancellationToken))
        {
            throw BrokerFailure.OfDeclaration(Stream, exception);
        }
    }

    /// <summary>Begins to deliver entries to a consumer.</summary>
    /// <exception cref="ArgumentException">The queue is not a stream.</exception>
    public async Task ConsumeAsync(IAsyncBasicConsumer consumer, StreamStart start, ushort prefetch, CancellationToken cancellationToken)
    {
        try
        {
            await Channel.BasicQosAsync(prefetchSize: 0, prefetch, global: false, cancellationToken).ConfigureAwait(false);
            await Channel.BasicConsumeAsync(Stream, autoAck: false, consumerTag: "", noLocal: false, exclusive: false, StreamArguments.OfConsumer(start), consumer, cancellationToken)
                .ConfigureAwait(false);
        }
        catch (Exception exception) when (!BrokerFailure.IsCancellation(exception, cancellationToken))
        {
            throw BrokerFailure.OfConsumer(Stream, exception);
        }
    }

    /// <summary>Calls a method when the broker takes no more messages of this connection, because it is low on memory or disk space.</summary>
    public void WhenBlocked(AsyncEventHandler<ConnectionBlockedEventArgs> call) => _connection.ConnectionBlockedAsync += call;

    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _isDisposed, 1) == 0)
        {
            await CloseAsync(_connection).ConfigureAwait(false);
        }
    }

    private static TimeSpan LimitOf(ConnectionFactory factory)
    {
        var (connecting, handshake) = (factory.RequestedConnectionTimeout, factory.HandshakeContinuationTimeout);
        return connecting == Timeout.InfiniteTimeSpan || handshake == Timeout.InfiniteTimeSpan ? Timeout.InfiniteTimeSpan
            : connecting < LongestTimer - handshake ? connecting + handshake
            : LongestTimer;
    }

    private static async Task CloseAsync(IConnection? connection)
    {
        if (connection is null)
        {
            return;
        }

        try
        {
            // The client waits for a broker that does not answer several times in a row. Its last waits may outlast the disposal.
            await EndAsync(connection).WaitAsync(CloseTimeout).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            // The connection is closed for this side, as intended.
        }
    }

    private static async Task EndAsync(IConnection connection)
    {
        try
        {
            // The channel ends with its connection.
            await connection.CloseAsync(ReplySuccess, "disposed", CloseTimeout, abort: true, CancellationToken.None).ConfigureAwait(false);
            await connection.DisposeAsync().ConfigureAwait(false);
        }
        catch (Exception exception) when (BrokerFailure.IsOfClient(exception))
        {
            // The connection is gone, as intended.
        }
    }
}
