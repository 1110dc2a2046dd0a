namespace BufferedMessages.Samples.Caching;

/// <summary>What a file held, and what is known of it. The key is its path.</summary>
[BufferedMessageSource]
public partial class FileContent
{
    /// <summary>The time of the file that was read: another one means that the file was changed since.</summary>
    public DateTime LastWrittenUtc { get; set; }

    /// <summary>Line feeds in the content, counted when it was read: who counts them again in the cache must find as many.</summary>
    public int Lines { get; set; }

    public byte[] Content { get; set; } = [];
}
