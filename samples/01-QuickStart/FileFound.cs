namespace BufferedMessages.Samples.QuickStart;

/// <summary>One file of the tree, or the end of the walk.</summary>
[BufferedMessageSource]
public partial class FileFound
{
    /// <summary>1 for the first message, one more for each that follows.</summary>
    public long Number { get; set; }

    /// <summary>Path within the tree, with slashes. Null in the last message.</summary>
    public string? Path { get; set; }

    /// <summary>The extension with its dot; empty for names without one.</summary>
    public string? Extension { get; set; }

    /// <summary>Size of the file in bytes.</summary>
    public long Bytes { get; set; }

    public DateTime CreatedUtc { get; set; }

    public DateTime LastWrittenUtc { get; set; }

    public FileAttributes Attributes { get; set; }

    /// <summary>Only in the last message: what the walk left out.</summary>
    public WalkEnd? End { get; set; }
}
