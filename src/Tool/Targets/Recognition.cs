using System.Buffers.Binary;

namespace BufferedMessages.Tool;

/// <summary>Tells queues, caches and message files by their first bytes. Opens files for reading only, and changes nothing.</summary>
internal static class Recognition
{
    private const string CacheControl = "cache";
    private const int HeaderBytes = 8;
    private const int WordBytes = 8;
    private const int Version = 1;

    /// <summary>Recognizes a path.</summary>
    /// <returns>Null if it is nothing that the tool knows, or cannot be read.</returns>
    public static Target? Find(string path)
    {
        try
        {
            if (MessageQueue.Exists(path))
            {
                return new Target(TargetKind.Queue, path);
            }

            return IsCache(path) ? new Target(TargetKind.Cache, path) : IsMessage(path) ? new Target(TargetKind.Message, path) : null;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    private static bool IsCache(string folder)
    {
        var control = Path.Combine(folder, CacheControl);
        Span<byte> start = stackalloc byte[HeaderBytes];
        return File.Exists(control) && ReadStart(control, start) && start.SequenceEqual("BMSCACH1"u8);
    }

    // A message has no magic, but its header says how long the file must be.
    private static bool IsMessage(string file)
    {
        Span<byte> header = stackalloc byte[HeaderBytes];
        if (!File.Exists(file) || !ReadStart(file, header))
        {
            return false;
        }

        var block = BinaryPrimitives.ReadUInt16LittleEndian(header) * WordBytes;
        var total = BinaryPrimitives.ReadUInt32LittleEndian(header[4..]);
        return block > 0 && header[2] == Version && header[3] == 0 && total % WordBytes == 0 && total >= HeaderBytes + block && total == new FileInfo(file).Length;
    }

    // Pipes and devices are not opened: they could wait for ever.
    private static bool ReadStart(string path, Span<byte> start)
    {
        if ((File.GetAttributes(path) & (FileAttributes.Device | FileAttributes.Directory)) != 0 || new FileInfo(path) is { Length: 0 })
        {
            return false;
        }

        using var file = File.OpenHandle(path, share: FileShare.ReadWrite | FileShare.Delete);
        return RandomAccess.Read(file, start, 0) == start.Length;
    }
}
