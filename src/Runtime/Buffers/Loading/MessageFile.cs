namespace BufferedMessages;

/// <summary>The opening of files of one message: unbuffered, because a message is read and written as a whole.</summary>
internal static class MessageFile
{
    public static FileStream Create(string path, int bytes) =>
        new(path, new FileStreamOptions
        {
            Mode = FileMode.Create,
            Access = FileAccess.Write,
            Share = FileShare.None,
            PreallocationSize = bytes,
            BufferSize = 0,
        });

    public static FileStream Open(string path) =>
        new(path, new FileStreamOptions
        {
            Mode = FileMode.Open,
            Access = FileAccess.Read,
            Share = FileShare.Read,
            Options = FileOptions.SequentialScan,
            BufferSize = 0,
        });
}
