namespace BufferedMessages.Samples.QuickStart;

/// <summary>What a walk left out. It ends the stream of messages.</summary>
[BufferedMessageSource]
public partial class WalkEnd
{
    /// <summary>Symbolic links, to files or to directories. They are not followed, so no loop can catch the walk.</summary>
    public long Links { get; set; }

    /// <summary>Directories that could not be read.</summary>
    public long UnreadableDirectories { get; set; }

    /// <summary>Names that are not valid text, so that no program can say them in UTF-8.</summary>
    public long UnsayableNames { get; set; }
}
