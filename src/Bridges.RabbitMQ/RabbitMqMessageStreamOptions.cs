namespace BufferedMessages.Bridges;

/// <summary>The settings of a <see cref="RabbitMqMessageStream"/>. Those of retention and placement are part of the stream's declaration, and apply when it is created.</summary>
public sealed class RabbitMqMessageStreamOptions
{
    /// <summary>Gets or sets the maximum size of the stream in bytes. Above it, whole segments of the oldest entries are deleted. Null for no limit, the default.</summary>
    public long? MaxLengthBytes { get; set; }

    /// <summary>Gets or sets how long the stream keeps entries. Whole segments that are older are deleted. Counted in seconds. Null for no limit, the default.</summary>
    public TimeSpan? MaxAge { get; set; }

    /// <summary>Gets or sets the size in bytes at which the broker begins a new segment file. Null for the broker's default, 500 MB.</summary>
    public long? MaxSegmentBytes { get; set; }

    /// <summary>Gets or sets where a cluster places the leader, for example "client-local" or "balanced". Null for the broker's default.</summary>
    public string? LeaderLocator { get; set; }

    /// <summary>Gets or sets the number of nodes that hold the stream in a cluster. Null for all of them, the broker's default.</summary>
    public int? InitialClusterSize { get; set; }

    /// <summary>Gets or sets how many entries the broker sends to a reader ahead of those that it has released; 128 by default.</summary>
    public int PrefetchCount { get; set; } = 128;

    /// <summary>
    /// Gets or sets the maximum size of the body of a run in bytes. 16,000,000 by default, below the limit of every broker: <c>max_message_size</c> is 16 MiB from RabbitMQ 4.0 on and 128 MiB before.
    /// A reader also needs a <c>ConnectionFactory.MaxInboundMessageBodySize</c> that is as large; it is 64 MiB by default.
    /// </summary>
    public int MaxBodyBytes { get; set; } = 16_000_000;

    internal RabbitMqMessageStreamOptions Copy() => (RabbitMqMessageStreamOptions)MemberwiseClone();

    internal void Validate()
    {
        RequirePositive(MaxLengthBytes, nameof(MaxLengthBytes));
        RequirePositive(MaxSegmentBytes, nameof(MaxSegmentBytes));
        RequirePositive(InitialClusterSize, nameof(InitialClusterSize));
        RequirePositive(MaxBodyBytes, nameof(MaxBodyBytes));
        RequirePositive(MaxAge?.Ticks, nameof(MaxAge));
        if (PrefetchCount is < 1 or > ushort.MaxValue)
        {
            throw new ArgumentOutOfRangeException(nameof(PrefetchCount), PrefetchCount, "The prefetch count must be between 1 and 65,535 entries.");
        }
    }

    private static void RequirePositive(long? value, string name)
    {
        if (value <= 0)
        {
            throw new ArgumentOutOfRangeException(name, value, "The value must be greater than 0.");
        }
    }
}
