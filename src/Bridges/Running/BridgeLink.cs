using System.Diagnostics;
using System.Text;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace BufferedMessages.Bridges;

/// <summary>The state of a bridge's connection, and the delays between attempts. The loop of the bridge writes it; all threads may read it.</summary>
internal sealed class BridgeLink(MessageQueue queue, IMessageStream stream, BridgeOptions options)
{
    private const double MostJitter = 0.25;

    // A file can have 255. The longest name is that of the notes about removed dead letters while they are written: bridge.NAME.removed and 22 bytes more.
    private const int MostNameBytes = 218;

    private TimeSpan _nextDelay = options.FirstRetryDelay;
    private volatile BridgeStatus _status = new(BridgeState.Connecting, Failure: null, DateTimeOffset.UtcNow);
    private long _reconnects;
    private bool _wasConnected;
    private long _connectedAt;

    /// <summary>The name of the bridge.</summary>
    public string Name { get; } = RequireName(options.Name ?? stream.Name);

    /// <summary>The name of the bridge among the names of its queue, which are those of consumers and handlers.</summary>
    public string NameInQueue => "bridge." + Name;

    /// <summary>The name of the stream.</summary>
    public string Stream => stream.Name;

    /// <summary>The name of the broker's product.</summary>
    public string System => stream.System;

    /// <summary>The queue's directory.</summary>
    public string Directory => queue.Path;

    /// <summary>The queue.</summary>
    public MessageQueue Queue => queue;

    public ILogger Logger { get; } = new QuietLog(options.Logger ?? NullLogger.Instance);

    /// <summary>The state, its failure and its time, as they belong together.</summary>
    public BridgeStatus Status => _status;

    public BridgeState State => _status.State;

    public Exception? Failure => _status.Failure;

    public long Reconnects => Volatile.Read(ref _reconnects);

    public void SetConnected()
    {
        if (_wasConnected)
        {
            Interlocked.Increment(ref _reconnects);
        }

        _wasConnected = true;
        _connectedAt = Stopwatch.GetTimestamp();
        _status = new BridgeStatus(BridgeState.Connected, Failure: null, DateTimeOffset.UtcNow);
        Logger.Connected(Name, Directory, Stream);
    }

    public void SetStopped(Exception? cause)
    {
        _status = new BridgeStatus(BridgeState.Stopped, cause, DateTimeOffset.UtcNow);
        if (cause is null)
        {
            Logger.Closed(Name, Directory);
        }
        else
        {
            Logger.Stopped(cause, Name, Directory);
        }
    }

    /// <summary>The connection works: the next failure is a first one.</summary>
    public void ResetDelay() => _nextDelay = options.FirstRetryDelay;

    /// <summary>Waits before the next attempt, longer each time.</summary>
    public Task WaitToRetryAsync(Exception failure, CancellationToken cancellationToken)
    {
        if (State == BridgeState.Connected && Stopwatch.GetElapsedTime(_connectedAt) > options.MaxRetryDelay)
        {
            // It lasted, although perhaps nothing came.
            ResetDelay();
        }

        _status = new BridgeStatus(BridgeState.Retrying, failure, State == BridgeState.Connected ? DateTimeOffset.UtcNow : _status.Since);
        var delay = _nextDelay * (1 + (Random.Shared.NextDouble() * MostJitter));
        _nextDelay = TimeSpan.FromTicks(Math.Min(2 * _nextDelay.Ticks, options.MaxRetryDelay.Ticks));
        Logger.Retrying(failure, Name, Directory, delay.TotalMilliseconds);
        return Task.Delay(delay, cancellationToken);
    }

    /// <summary>Requires a name that files can have: the journal and the dead letters have it.</summary>
    /// <exception cref="ArgumentException">Files cannot have the name.</exception>
    public static string RequireName(string name) =>
        name.Length == 0 || name[0] == '.' || Encoding.UTF8.GetByteCount(name) > MostNameBytes || name.AsSpan().ContainsAny(Path.GetInvalidFileNameChars())
        ? throw new ArgumentException(
            $"'{name}' cannot be the name of a bridge: it must be a valid name of a file, of at most {MostNameBytes} bytes in UTF-8, and must not begin with a dot. Set Name in the options.", nameof(name))
        : name;

    /// <summary>
    /// Whether a failure stops the bridge: another attempt would fail in the same way. Credentials and arguments that the broker refuses stop it only before its first connection; they worked
    /// then, and may work again.
    /// </summary>
    public bool IsFinal(Exception failure) => failure
        is MessagesDeletedException or StreamTruncatedException or MessageTooLargeException or SchemaMismatchException or QueueCorruptedException or StaleQueueException or FlushFailedException
        or QueueInUseException or NotSupportedException or FormatException or ObjectDisposedException
        || (failure is UnauthorizedAccessException or ArgumentException && !_wasConnected);
}
