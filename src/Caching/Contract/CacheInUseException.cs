using System.Globalization;

namespace BufferedMessages.Caching;

/// <summary>The exception for a cache that a live process already has open for writing.</summary>
public sealed class CacheInUseException : Exception
{
    internal CacheInUseException(string directory, int processId, DateTimeOffset processStart)
        : base($"The cache '{directory}' is open for writing in {Name(processId, processStart)}. " +
               "Share that MessageCache within the process; other processes can read with MessageCache.OpenReadOnly, or share the cache when all of them set MessageCacheOptions.Shared.")
    {
        ProcessId = processId;
        ProcessStart = processStart;
    }

    /// <summary>
    /// Gets the process id of the writer, as the writer stored it when it opened the cache. In containers, it may belong to another namespace. 0 if the writer has not stored it yet.
    /// </summary>
    public int ProcessId { get; }

    /// <summary>Gets the time at which the writer's process started. Meaningless if <see cref="ProcessId"/> is 0.</summary>
    public DateTimeOffset ProcessStart { get; }

    private static string Name(int processId, DateTimeOffset processStart) => processId == 0
        ? "a process that is just opening it"
        : string.Create(CultureInfo.InvariantCulture, $"process {processId}, started {processStart:u}");
}
