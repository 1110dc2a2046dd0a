namespace BufferedMessages.Samples.Caching;

/// <summary>The content of a file, and facts about it. The key is its path.</summary>
[BufferedMessageSource]
public partial class FileContent
{
    /// <summary>Gets or sets the time of the file when it was read: another time means that the file has changed since.</summary>
    public DateTime LastWrittenUtc { get; set; }

    /// <summary>Gets or sets the number of line feeds in the content when it was read: counting them again in the cache must give the same.</summary>
    public int Lines { get; set; }

    public byte[] Content { get; set; } = [];
}
