using System.Globalization;

namespace BufferedMessages.Caching;

/// <summary>Somebody alive has the cache open for writing, which only one may.</summary>
public sealed class CacheInUseException : Exception
{
    internal CacheInUseException(string directory, int processId, DateTimeOffset processStart)
        : base($"The cache '{directory}' is open for writing in process {processId.ToString(CultureInfo.InvariantCulture)}, started {processStart.ToString("u", CultureInfo.InvariantCulture)}. " +
               "Share that MessageCache within the process; other processes can read by MessageCache.OpenReadOnly.")
    {
        ProcessId = processId;
        ProcessStart = processStart;
    }

    /// <summary>The process id of the writer, as it was written down when it opened the cache. In containers it may be of another namespace.</summary>
    public int ProcessId { get; }

    /// <summary>When the writer's process started.</summary>
    public DateTimeOffset ProcessStart { get; }
}
