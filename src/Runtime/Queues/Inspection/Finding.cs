namespace BufferedMessages.Queues;

/// <summary>A result of an inspection.</summary>
/// <param name="Kind">Its kind.</param>
/// <param name="File">The file.</param>
/// <param name="Position">The position in the queue; for the control file, the offset in that file. Null for a file as a whole.</param>
/// <param name="Rule">The rule that is broken, or the state of the file.</param>
/// <param name="Bytes">The bytes from the position on that cannot be read; 0 if all can be.</param>
internal sealed record Finding(FindingKind Kind, string File, long? Position, string Rule, long Bytes = 0)
{
    /// <summary>A damage of the log.</summary>
    public static Finding Damage(QueueCorruptedException exception, long bytes = 0) => new(FindingKind.Damage, exception.File, exception.Position, exception.Fault, bytes);
}

/// <summary>The kinds of results of an inspection.</summary>
internal enum FindingKind
{
    /// <summary>A rule of the format is broken. Participants fail there, or messages are lost.</summary>
    Damage,

    /// <summary>The machine stopped before the end of the queue was on the disk. The next process that opens the queue cuts it off.</summary>
    Torn,

    /// <summary>A newer program wrote it: this one cannot tell whether it is sound.</summary>
    Unknown,

    /// <summary>A file that no part of the queue uses.</summary>
    Orphan,

    /// <summary>A participant that died. The next one that opens reclaims its slot.</summary>
    Dead,
}
