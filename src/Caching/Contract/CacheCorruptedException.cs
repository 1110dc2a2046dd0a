namespace BufferedMessages.Caching;

/// <summary>The control file of a directory is not one of a cache, or is damaged. Damaged entries are no exception: they are misses, and counted.</summary>
public sealed class CacheCorruptedException : Exception
{
    internal CacheCorruptedException(string file, string fault)
        : base($"'{file}' is not the control file of a cache: {fault}. If the directory is a cache's, delete it and let it be filled again; otherwise use another one.") =>
        File = file;

    /// <summary>The control file.</summary>
    public string File { get; }
}
