using System.Net.Security;
using System.Text;
using RabbitMQ.Client;

namespace BufferedMessages.Bridges;

/// <summary>
/// A stream of RabbitMQ (a queue of type "stream", from RabbitMQ 3.9 on) over AMQP 0.9.1. Each writer and each reader has a connection of its own.
/// An entry is an AMQP message: the header of the run is its header "bm-run", the body of the run is its body. Thread-safe.
/// </summary>
/// <remarks>
/// The broker blocks a channel that has 256 unconfirmed messages (its setting <c>stream_messages_soft_limit</c>), which makes it several times slower.
/// Keep fewer runs than that in flight; 128 is a good number.
/// </remarks>
public sealed class RabbitMqMessageStream : IMessageStream
{
    private const int MostNameBytes = 255;

    private readonly ConnectionFactory _factory;
    private readonly RabbitMqMessageStreamOptions _options;
    private volatile bool _isDisposed;

    /// <summary>Creates a stream with a name. Does not connect.</summary>
    /// <param name="factory">
    /// The address of the broker, TLS, credentials, heartbeat and time limits. The stream takes a copy without automatic recovery, because bridges open a new connection themselves;
    /// later changes of the factory have no effect. Its <see cref="ConnectionFactory.Ssl"/> is the same object, so a factory for another broker needs one of its own.
    /// </param>
    /// <param name="name">The name of the stream; RabbitMQ allows up to 255 bytes of UTF-8.</param>
    /// <param name="options">The settings; null for the defaults. They are copied.</param>
    /// <exception cref="ArgumentException">The name is empty or too long.</exception>
    /// <exception cref="ArgumentOutOfRangeException">A setting is out of its range.</exception>
    public RabbitMqMessageStream(ConnectionFactory factory, string name, RabbitMqMessageStreamOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(factory);
        ArgumentException.ThrowIfNullOrEmpty(name);
        if (Encoding.UTF8.GetByteCount(name) > MostNameBytes)
        {
            throw new ArgumentException($"'{name}' is longer than {MostNameBytes} bytes in UTF-8, which is the most that RabbitMQ allows for the name of a stream.", nameof(name));
        }

        _options = (options ?? new RabbitMqMessageStreamOptions()).Copy();
        _options.Validate();
        _factory = FactoryCopy.WithoutRecovery(factory);
        Name = name;
    }

    /// <summary>Creates a stream with a name. Does not connect.</summary>
    /// <param name="uri">
    /// The address of the broker, for example <c>amqp://user:password@host:5672/vhost</c>; <c>amqps</c> for TLS. The broker's certificate must be valid for the host's name.
    /// </param>
    /// <param name="name">The name of the stream; RabbitMQ allows up to 255 bytes of UTF-8.</param>
    /// <param name="options">The settings; null for the defaults. They are copied.</param>
    /// <exception cref="ArgumentException">The address is not one of AMQP, or the name is empty or too long.</exception>
    /// <exception cref="ArgumentOutOfRangeException">A setting is out of its range.</exception>
    public RabbitMqMessageStream(Uri uri, string name, RabbitMqMessageStreamOptions? options = null)
        : this(FactoryOf(uri), name, options)
    {
    }

    /// <inheritdoc/>
    public string Name { get; }

    /// <inheritdoc/>
    public string System => "rabbitmq";

    /// <inheritdoc/>
    public int MaxBodyBytes => _options.MaxBodyBytes;

    /// <inheritdoc/>
    /// <exception cref="UnauthorizedAccessException">The broker does not accept the credentials, or the user may not use the stream.</exception>
    /// <exception cref="ArgumentException">The stream exists with another declaration. The message says with which.</exception>
    /// <exception cref="ObjectDisposedException">The stream is disposed.</exception>
    public async ValueTask<IRunWriter> OpenWriterAsync(CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(_isDisposed, this);
        var session = await BrokerSession.OpenAsync(_factory, Name, confirms: true, cancellationToken).ConfigureAwait(false);
        try
        {
            await session.DeclareAsync(_options, cancellationToken).ConfigureAwait(false);
            return new RabbitMqWriter(session, MaxBodyBytes);
        }
        catch
        {
            await session.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <inheritdoc/>
    /// <exception cref="UnauthorizedAccessException">The broker does not accept the credentials, or the user may not read the stream.</exception>
    /// <exception cref="ArgumentException">The name is that of a queue that is not a stream.</exception>
    /// <exception cref="ObjectDisposedException">The stream is disposed.</exception>
    /// <remarks>Does not create the stream: until a writer has created it, the call throws an <see cref="IOException"/>.</remarks>
    public async ValueTask<IRunReader> OpenReaderAsync(StreamStart start, CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(_isDisposed, this);
        var session = await BrokerSession.OpenAsync(_factory, Name, confirms: false, cancellationToken).ConfigureAwait(false);
        var reader = new RabbitMqReader(session, start, _options.PrefetchCount, RabbitMqReader.AcknowledgeWithin);
        try
        {
            await session.ConsumeAsync(reader, start, (ushort)_options.PrefetchCount, cancellationToken).ConfigureAwait(false);
            return reader;
        }
        catch
        {
            await reader.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Closes the stream: no further writer or reader can be opened. Those that are open stay open until they are disposed.</summary>
    public ValueTask DisposeAsync()
    {
        _isDisposed = true;
        return ValueTask.CompletedTask;
    }

    private static ConnectionFactory FactoryOf(Uri uri)
    {
        ArgumentNullException.ThrowIfNull(uri);
        if (!uri.IsAbsoluteUri)
        {
            throw new ArgumentException("The address of the broker has no scheme. Begin it with amqp:// or amqps://.", nameof(uri));
        }

        var factory = new ConnectionFactory { Uri = uri };

        // The client would accept the certificate of any host.
        factory.Ssl.AcceptablePolicyErrors = SslPolicyErrors.None;
        return factory;
    }
}
