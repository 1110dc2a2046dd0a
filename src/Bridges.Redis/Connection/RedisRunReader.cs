using System.Globalization;
using StackExchange.Redis;

namespace BufferedMessages.Bridges;

/// <summary>
/// A connection that reads entries by XREAD with BLOCK. The client has no such command, because it would hold up all others of its connection; this connection has no others. So an entry comes as soon
/// as it is appended (about 0.2 ms after the call that wrote it, on one machine); polling would add the delay between two polls. An idle reader sends one command a second. The next command is sent
/// when the reply to the last one has come, so the server works while entries are received.
/// </summary>
internal sealed class RedisRunReader : IRunReader
{
    /// <summary>How long the server holds back its reply while nothing comes.</summary>
    public static readonly TimeSpan LongestBlock = TimeSpan.FromSeconds(1);

    private readonly RedisConnection _connection;
    private readonly RedisKey _key;
    private readonly RedisMessageStreamOptions _options;
    private readonly Action<IAsyncDisposable> _onDispose;
    private StreamOffset _last;
    private MessageStreamEntry[] _entries = [];
    private int _next;
    private int _count;
    private Task<RedisResult>? _pending;

    public RedisRunReader(RedisConnection connection, RedisKey key, StreamOffset after, RedisMessageStreamOptions options, Action<IAsyncDisposable> onDispose)
    {
        _connection = connection;
        _key = key;
        _last = after;
        _options = options;
        _count = options.ReadCount;
        _onDispose = onDispose;
    }

    public async ValueTask<MessageStreamEntry> ReadAsync(CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        while (_next == _entries.Length)
        {
            await ReceiveAsync(cancellationToken).ConfigureAwait(false);
        }

        // The array no longer holds the entry, so its memory lives as long as the caller refers to it.
        var entry = _entries[_next];
        _entries[_next++] = default;
        return entry;
    }

    public async ValueTask DisposeAsync()
    {
        await _connection.DisposeAsync().ConfigureAwait(false);
        if (_pending is { } pending)
        {
            await ((Task)pending).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }

        _onDispose(this);
    }

    private async Task ReceiveAsync(CancellationToken cancellationToken)
    {
        if (_connection.IsDisposed)
        {
            throw _connection.Disposed();
        }

        try
        {
            // A wait that is cancelled leaves the command to the next call.
            _pending ??= SendAsync();
            var reply = await _pending.WaitAsync(cancellationToken).ConfigureAwait(false);
            _pending = null;
            if (!reply.IsNull)
            {
                Take(reply);
            }

            _pending = SendAsync();
        }
        catch (Exception failure) when (RedisFailure.IsOfCommand(failure))
        {
            throw _connection.Translate(failure);
        }
    }

    private Task<RedisResult> SendAsync() => _connection.Database.ExecuteAsync(
        "XREAD",
        ["COUNT", _count.ToString(CultureInfo.InvariantCulture), "BLOCK", ((long)LongestBlock.TotalMilliseconds).ToString(CultureInfo.InvariantCulture), "STREAMS", _key, EntryId.Format(_last)],
        CommandFlags.NoRedirect | CommandFlags.CommandRetryNever);

    private void Take(RedisResult reply)
    {
        // RESP2 has an array of streams, each with its key and its entries; RESP3 has a map of keys and entries, which is an array with both in turn.
        var streams = (RedisResult[])reply!;
        _entries = Array.ConvertAll((RedisResult[])(streams.Length == 1 ? streams[0][1] : streams[1])!, Entry);
        _next = 0;
        _last = _entries[^1].Offset;
        var largest = _entries.Max(static entry => entry.Body.Length);
        _count = Math.Clamp(_options.ReadBytes / Math.Max(largest, 1), 1, _options.ReadCount);
    }

    private static MessageStreamEntry Entry(RedisResult entry)
    {
        var values = (RedisResult[])entry[1]!;
        var fields = new NameValueEntry[values.Length / 2];
        for (var i = 0; i < fields.Length; i++)
        {
            fields[i] = new NameValueEntry((RedisValue)values[2 * i], (RedisValue)values[(2 * i) + 1]);
        }

        return EntryFields.Entry(EntryId.Parse((RedisValue)entry[0]), fields);
    }
}
