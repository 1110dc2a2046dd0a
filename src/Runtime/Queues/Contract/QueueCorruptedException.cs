namespace BufferedMessages;

/// <summary>The exception that is thrown when a file of the queue has impossible content: it is damaged or truncated, or is not a file of a queue at all.</summary>
public sealed class QueueCorruptedException : Exception
{
    internal QueueCorruptedException(string file, long position, string fault)
        : base($"'{file}' is damaged at position {position}: {fault}. Stop the programs that use the queue, and copy its directory. Find all damage with 'bufferedmessages verify', and step over it with 'bufferedmessages repair'.")
    {
        File = file;
        Position = position;
        Fault = fault;
    }

    /// <summary>Gets the damaged file.</summary>
    public string File { get; }

    /// <summary>Gets the position in the queue in bytes; for the control file, the position in that file.</summary>
    public long Position { get; }

    /// <summary>The rule that is broken, as a clause.</summary>
    internal string Fault { get; }
}
