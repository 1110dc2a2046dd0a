using System.Collections.Concurrent;
using StackExchange.Redis;

namespace BufferedMessages.Bridges;

/// <summary>
/// A stream of a Redis server or cluster: a key of Redis's type "stream". Thread-safe. Each writer and each reader has a connection of its own.
/// <code>
/// id      generation-ordinal
/// fields  "run"   the header of the run
///         "body"  the body of the run
/// </code>
/// A generation is a chain of the stream: the runs of one queue in one epoch. It is the time when the chain began, in Unix milliseconds, or one more than the last generation, whichever is
/// higher. Because of the time, the ids of a stream that was deleted and made again are above those that its readers have passed, so they go on. The ordinal is the position after the last message
/// of the run; a run without messages, such as a schema, has the ordinal after the last one, since positions leave gaps.
/// <para>
/// The server refuses an id that is not above the last one, so a run that is repeated is stored once. One forwarder at a time writes to a stream: several take turns without loss, and each turn
/// costs a new connection.
/// </para>
/// </summary>
public sealed class RedisMessageStream : IMessageStream
{
    private readonly ConfigurationOptions _configuration;
    private readonly RedisMessageStreamOptions _options;
    private readonly RedisKey _key;
    private readonly ConcurrentDictionary<IAsyncDisposable, bool> _open = new();
    private volatile bool _isDisposed;

    /// <summary>Creates a stream. Does not connect.</summary>
    /// <param name="configuration">The servers, credentials, TLS and timeouts. It is copied, so later changes have no effect.</param>
    /// <param name="name">The key of the stream. The first writer creates it.</param>
    /// <param name="options">The options; null for the defaults. They are copied.</param>
    /// <exception cref="ArgumentException">The configuration has no server, the name is empty, or an option is out of its range.</exception>
    public RedisMessageStream(ConfigurationOptions configuration, string name, RedisMessageStreamOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(configuration);
        ArgumentException.ThrowIfNullOrEmpty(name);
        if (configuration.EndPoints.Count == 0 && string.IsNullOrEmpty(configuration.ServiceName))
        {
            throw new ArgumentException("The configuration has no server. Add one to EndPoints, for example \"redis.example:6379\".", nameof(configuration));
        }

        _options = (options ?? new RedisMessageStreamOptions()).Copy();
        _options.RequireValid();
        _configuration = configuration.Clone();
        _key = name;
        Name = name;
    }

    /// <summary>Creates a stream. Does not connect.</summary>
    /// <param name="configuration">The servers, credentials, TLS and timeouts in StackExchange.Redis's form, for example "redis.example:6379,ssl=true,user=bridge,password=...".</param>
    /// <param name="name">The key of the stream. The first writer creates it.</param>
    /// <param name="options">The options; null for the defaults. They are copied.</param>
    /// <exception cref="ArgumentException">The configuration is not valid, the name is empty, or an option is out of its range.</exception>
    public RedisMessageStream(string configuration, string name, RedisMessageStreamOptions? options = null)
        : this(ConfigurationOptions.Parse(configuration), name, options)
    {
    }

    /// <inheritdoc/>
    public string Name { get; }

    /// <inheritdoc/>
    public string System => "redis";

    /// <inheritdoc/>
    public int MaxBodyBytes => _options.MaxBodyBytes;

    /// <inheritdoc/>
    /// <exception cref="NotSupportedException">A later version of the bridge wrote the last entry.</exception>
    /// <exception cref="UnauthorizedAccessException">The server refused the credentials, or they do not permit a command.</exception>
    /// <exception cref="ArgumentException">The key holds another type.</exception>
    /// <exception cref="ObjectDisposedException">The stream is disposed.</exception>
    public async ValueTask<IRunWriter> OpenWriterAsync(CancellationToken cancellationToken)
    {
        // WAIT holds up its reply for as long as it may.
        var longestWait = _options.WaitForReplicas == 0 ? TimeSpan.Zero : _options.ReplicaTimeout;
        var connection = await ConnectAsync(longestWait, cancellationToken).ConfigureAwait(false);
        try
        {
            var top = await StreamTop.ReadAsync(connection, _key, cancellationToken).ConfigureAwait(false);
            return Keep(new RedisRunWriter(connection, _key, _options, top, Forget));
        }
        catch
        {
            await connection.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <inheritdoc/>
    /// <exception cref="NotSupportedException">The start is a time. The ids of the entries are positions and not times, so the server cannot look one up.</exception>
    /// <exception cref="UnauthorizedAccessException">The server refused the credentials, or they do not permit a command.</exception>
    /// <exception cref="ArgumentException">The key holds another type.</exception>
    /// <exception cref="ObjectDisposedException">The stream is disposed.</exception>
    /// <remarks>
    /// If the key is deleted, the reader waits until the stream is created again, and goes on with its first entry.
    /// This requires that the clocks of the writers differ by less than the time between the deletion and the creation.
    /// </remarks>
    public async ValueTask<IRunReader> OpenReaderAsync(StreamStart start, CancellationToken cancellationToken)
    {
        if (start.Time is not null)
        {
            throw new NotSupportedException(
                $"Redis stream '{Name}' cannot be read from a time: its ids are positions of messages. Begin at StreamStart.Earliest or StreamStart.Latest, or at the offset of an entry.");
        }

        var connection = await ConnectAsync(RedisRunReader.LongestBlock, cancellationToken).ConfigureAwait(false);
        try
        {
            var top = await StreamTop.ReadAsync(connection, _key, cancellationToken).ConfigureAwait(false);
            var after = start.IsLatest ? top.LastId : start.Offset is { } offset ? EntryId.Before(offset) : default;
            return Keep(new RedisRunReader(connection, _key, after, _options, Forget));
        }
        catch
        {
            await connection.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Closes the writers and readers that are open. Their calls end with an <see cref="ObjectDisposedException"/>.</summary>
    /// <returns>A task that completes when they are closed.</returns>
    public async ValueTask DisposeAsync()
    {
        _isDisposed = true;
        foreach (var (session, _) in _open)
        {
            await session.DisposeAsync().ConfigureAwait(false);
        }
    }

    private async Task<RedisConnection> ConnectAsync(TimeSpan longestWait, CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(_isDisposed, this);
        return await RedisConnection.OpenAsync(_configuration, Name, longestWait, cancellationToken).ConfigureAwait(false);
    }

    private T Keep<T>(T session)
        where T : IAsyncDisposable
    {
        _open.TryAdd(session, true);
        if (_isDisposed)
        {
            Forget(session);
            throw new ObjectDisposedException(nameof(RedisMessageStream));
        }

        return session;
    }

    private void Forget(IAsyncDisposable session) => _open.TryRemove(session, out _);
}
