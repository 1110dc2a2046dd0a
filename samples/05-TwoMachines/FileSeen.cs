namespace BufferedMessages.Samples.TwoMachines;

/// <summary>One file of the tree, or the end of the walk.</summary>
[BufferedMessageSource]
public partial class FileSeen
{
    /// <summary>1 for the first message, one more for each that follows.</summary>
    public long Number { get; set; }

    /// <summary>The extension in lower case, with its dot; empty if the name has none. Null in the last message.</summary>
    public string? Extension { get; set; }

    /// <summary>The size of the file in bytes.</summary>
    public long Bytes { get; set; }
}
