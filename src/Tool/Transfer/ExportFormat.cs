namespace BufferedMessages.Tool;

/// <summary>The constants of export files. docs/format/exports.md describes them.</summary>
internal static class ExportFormat
{
    public const uint Version = 1;
    public const int HeaderBytes = 16;
    public const int BlockHeaderBytes = 16;
    public const int CheckedHeaderBytes = 8;
    public const int QueueBytes = 56;
    public const int RecordHeaderBytes = 24;
    public const int EndBytes = 16;
    public const int Alignment = 8;

    /// <summary>The bytes of records after which a block ends.</summary>
    public const int ComfortableBlockBytes = 1024 * 1024;

    /// <summary>Gets the first bytes of a file.</summary>
    public static ReadOnlySpan<byte> Magic => "BMEXPRT1"u8;

    /// <summary>Rounds bytes up to where the next part begins.</summary>
    public static int Align(int bytes) => (bytes + Alignment - 1) & -Alignment;
}

/// <summary>The kinds of blocks of an export file.</summary>
internal enum ExportBlock : uint
{
    /// <summary>The queue that was exported.</summary>
    Queue = 1,

    /// <summary>Records that follow each other.</summary>
    Records = 2,

    /// <summary>The end. A file without it is not whole.</summary>
    End = 3,
}
