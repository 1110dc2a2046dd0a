using System.Globalization;

namespace BufferedMessages;

/// <summary>The exception for a part of the queue that only one live participant may hold and another one holds: its only producer, or a consumer name.</summary>
public sealed class QueueInUseException : Exception
{
    internal QueueInUseException(string what, int processId, DateTimeOffset processStart)
        : base($"{what} is in use by {Name(processId, processStart)}. It is free again when that process closes it or ends.")
    {
        ProcessId = processId;
        ProcessStart = processStart;
    }

    /// <summary>Gets the holder's process id, as recorded when it opened. In containers it may be of another namespace. 0 when it is not known.</summary>
    public int ProcessId { get; }

    /// <summary>Gets the time at which the holder's process started; of no meaning when its id is 0.</summary>
    public DateTimeOffset ProcessStart { get; }

    private static string Name(int processId, DateTimeOffset processStart) => processId == 0
        ? "another process"
        : string.Create(CultureInfo.InvariantCulture, $"process {processId}, started {processStart:u}");
}
