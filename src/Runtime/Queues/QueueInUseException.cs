using System.Globalization;

namespace BufferedMessages;

/// <summary>Somebody alive holds what only one may hold: the producer of the queue, or a consumer name.</summary>
public sealed class QueueInUseException : Exception
{
    internal QueueInUseException(string what, int processId, DateTimeOffset processStart)
        : base($"{what} is in use by process {processId.ToString(CultureInfo.InvariantCulture)}, started {processStart.ToString("u", CultureInfo.InvariantCulture)}. " +
               "It is free again when that process closes it or ends.")
    {
        ProcessId = processId;
        ProcessStart = processStart;
    }

    /// <summary>The process id of the holder, as it was written down when it opened. In containers it may be of another namespace.</summary>
    public int ProcessId { get; }

    /// <summary>When the holder's process started.</summary>
    public DateTimeOffset ProcessStart { get; }
}
