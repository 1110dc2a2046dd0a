namespace BufferedMessages.Bridges;

/// <summary>The options of a <see cref="RedisMessageStream"/>.</summary>
public sealed class RedisMessageStreamOptions
{
    // Redis takes strings up to 512 MB (proto-max-bulk-len).
    private const int LargestBodyBytes = 512 * 1024 * 1024;

    /// <summary>
    /// Gets or sets the minimum number of entries that the stream keeps; null for all. The server deletes the oldest ones when an entry is appended, some of them later than it could. An entry is a
    /// run of up to <see cref="ForwarderOptions.BatchMessages"/> messages. Entries cannot be kept by age, because their ids are not times.
    /// </summary>
    public long? MaxLength { get; set; }

    /// <summary>
    /// Gets or sets how many replicas must have a run before it counts as confirmed; none by default. With none, a failover may take back confirmed runs, and their messages are lost to receivers
    /// that have not read them. The command is WAIT: the replicas then have the run in memory, but perhaps not on their disks.
    /// </summary>
    public int WaitForReplicas { get; set; }

    /// <summary>
    /// Gets or sets how long the writer waits for the replicas. After that, the run is refused with a <see cref="RunRefusedException"/>. The stream may have it nevertheless; it is then not stored
    /// again when the forwarder repeats it.
    /// </summary>
    public TimeSpan ReplicaTimeout { get; set; } = TimeSpan.FromSeconds(2);

    /// <summary>Gets or sets the maximum number of entries of one XREAD command.</summary>
    public int ReadCount { get; set; } = 16;

    /// <summary>
    /// Gets or sets the size, in bytes, that the reader aims at for one XREAD command. It asks for fewer entries than <see cref="ReadCount"/> if the last ones were large, but always for at least one.
    /// The reader holds the entries of up to two commands.
    /// </summary>
    public int ReadBytes { get; set; } = 8 * 1024 * 1024;

    /// <summary>Gets or sets the maximum size of the body of a run in bytes. The limit of a server is 512 MB unless its <c>proto-max-bulk-len</c> says otherwise.</summary>
    public int MaxBodyBytes { get; set; } = 64 * 1024 * 1024;

    internal RedisMessageStreamOptions Copy() => (RedisMessageStreamOptions)MemberwiseClone();

    internal void RequireValid()
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(MaxLength ?? 1, 1, nameof(MaxLength));
        ArgumentOutOfRangeException.ThrowIfLessThan(WaitForReplicas, 0, nameof(WaitForReplicas));
        ArgumentOutOfRangeException.ThrowIfLessThan(ReplicaTimeout, TimeSpan.FromMilliseconds(1), nameof(ReplicaTimeout));
        ArgumentOutOfRangeException.ThrowIfGreaterThan(ReplicaTimeout, TimeSpan.FromHours(1), nameof(ReplicaTimeout));
        ArgumentOutOfRangeException.ThrowIfLessThan(ReadCount, 1, nameof(ReadCount));
        ArgumentOutOfRangeException.ThrowIfLessThan(ReadBytes, 1, nameof(ReadBytes));
        ArgumentOutOfRangeException.ThrowIfLessThan(MaxBodyBytes, 1, nameof(MaxBodyBytes));
        ArgumentOutOfRangeException.ThrowIfGreaterThan(MaxBodyBytes, LargestBodyBytes, nameof(MaxBodyBytes));
    }
}
