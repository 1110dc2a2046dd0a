using Microsoft.Extensions.Logging;

namespace BufferedMessages.Bridges;

/// <summary>The options that forwarders and receivers share.</summary>
public abstract class BridgeOptions
{
    /// <summary>
    /// Gets or sets the name of the bridge; null uses the name of the stream. It names a receiver's journal, and the bridge in metrics and logs. After "bridge.", it is the consumer name of a
    /// forwarder in the queue, and the name of the dead letters. A second forwarder, or a second receiver, of the same queue and name is refused.
    /// </summary>
    public string? Name { get; set; }

    /// <summary>Gets or sets what the bridge does when retention has deleted messages that it has not read yet.</summary>
    public DeletedMessages OnDeleted { get; set; }

    /// <summary>Gets or sets the delay before the first attempt to connect again. Each further one waits twice as long, with up to a quarter of jitter.</summary>
    public TimeSpan FirstRetryDelay { get; set; } = TimeSpan.FromMilliseconds(100);

    /// <summary>Gets or sets the maximum delay between two attempts to connect. The attempts never end.</summary>
    public TimeSpan MaxRetryDelay { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>Gets or sets the log; null for none.</summary>
    public ILogger? Logger { get; set; }

    // The longest time that a timer can wait, rounded down.
    internal static TimeSpan Longest { get; } = TimeSpan.FromDays(24);

    internal virtual void RequireValid()
    {
        RequireDefined(OnDeleted, nameof(OnDeleted));
        ArgumentOutOfRangeException.ThrowIfLessThan(FirstRetryDelay, TimeSpan.FromMilliseconds(1), nameof(FirstRetryDelay));
        ArgumentOutOfRangeException.ThrowIfLessThan(MaxRetryDelay, FirstRetryDelay, nameof(MaxRetryDelay));
        ArgumentOutOfRangeException.ThrowIfGreaterThan(MaxRetryDelay, Longest, nameof(MaxRetryDelay));
    }

    private protected static void RequireDefined<TChoice>(TChoice choice, string option)
        where TChoice : struct, Enum
    {
        if (!Enum.IsDefined(choice))
        {
            throw new ArgumentOutOfRangeException(option, choice, $"It must be {string.Join(" or ", Enum.GetNames<TChoice>())}.");
        }
    }
}

/// <summary>The ways to go on when messages were deleted before a bridge had read them.</summary>
public enum DeletedMessages
{
    /// <summary>The bridge stops with a typed exception.</summary>
    Stop,

    /// <summary>The bridge continues at the first message that is left, and counts the hole.</summary>
    Skip,
}
