using System.Globalization;

namespace BufferedMessages;

/// <summary>The exception that is thrown when a part of the queue that only one participant or process may hold is held by another, for example a consumer name.</summary>
public sealed class QueueInUseException : Exception
{
    internal QueueInUseException(string what, int processId, DateTimeOffset processStart)
        : base($"{what} is in use by {Name(processId, processStart)}. It is free again when that process closes it or ends.")
    {
        ProcessId = processId;
        ProcessStart = processStart;
    }

    /// <summary>Gets the holder's process id, as recorded when it opened. In a container, it may be from another namespace. 0 if it is not known.</summary>
    public int ProcessId { get; }

    /// <summary>Gets the time at which the holder's process started; meaningless if its id is 0.</summary>
    public DateTimeOffset ProcessStart { get; }

    private static string Name(int processId, DateTimeOffset processStart) => processId == 0
        ? "another process"
        : string.Create(CultureInfo.InvariantCulture, $"process {processId}, started {processStart:u}");
}
