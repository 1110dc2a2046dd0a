namespace BufferedMessages;

/// <summary>The exception that is thrown when the disk has no room for a file that must be allocated. Nothing was changed; free some space and try again.</summary>
public sealed class DiskFullException : IOException
{
    internal DiskFullException(string file, long bytes, Exception? innerException = null)
        : base(
            bytes == 0
                ? $"The disk has no room for another file or folder, such as '{file}'. Delete some, or free some space; the operation can be tried again."
                : $"The disk has no room for the {bytes} bytes of '{file}'. Free some space, or use a smaller SegmentBytes for a new queue; the operation can be tried again.",
            innerException)
    {
        File = file;
        Bytes = bytes;
    }

    /// <summary>Gets the path of the file that could not be allocated.</summary>
    public string File { get; }

    /// <summary>Gets the size of that file in bytes; 0 when the disk has no room for its name.</summary>
    public long Bytes { get; }
}
