using System.Buffers.Binary;
using BufferedMessages.Queues;

namespace BufferedMessages.Tool;

/// <summary>Tells queues, caches and message files by their first bytes, and a queue or a cache also if these are damaged or cannot be read. Opens files for reading only, and changes nothing.</summary>
internal static class Recognition
{
    private const string CacheControl = "cache";
    private const string CacheLease = "writer.lease";
    private const int HeaderBytes = 8;
    private const int WordBytes = 8;
    private const int Version = 1;

    /// <summary>Gets the names of the files by which queues and caches are recognized.</summary>
    public static IReadOnlyList<string> Controls { get; } = [ControlMap.FileName, CacheControl];

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

            return IsCache(path) ? new Target(TargetKind.Cache, path)
                : IsMessage(path) ? new Target(TargetKind.Message, path)
                : IsSpoiledQueue(path) ? new Target(TargetKind.Queue, path)
                : null;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>Gives the file at a path, or the one that a link there leads to.</summary>
    public static FileInfo FileAt(string path)
    {
        var file = new FileInfo(path);
        return file.ResolveLinkTarget(returnFinalTarget: true) as FileInfo ?? file;
    }

    // A control file gets its name when it is complete. Other programs have files of that name, but not beside the lease that the creator of a queue holds.
    private static bool IsSpoiledQueue(string folder) =>
        File.Exists(Path.Combine(folder, ControlMap.FileName)) && File.Exists(ControlMap.LeasePath(folder, ParticipantSlot.MembershipLock));

    // A copy of a cache may lack the lease, which every process that writes leaves. Beside it, the first bytes do not count: they may be damaged.
    private static bool IsCache(string folder)
    {
        var control = Path.Combine(folder, CacheControl);
        Span<byte> start = stackalloc byte[HeaderBytes];
        return File.Exists(control)
            && (File.Exists(Path.Combine(folder, CacheLease)) || (TryReadStart(control, start, out _) && start.SequenceEqual("BMSCACH1"u8)));
    }

    // A message has no magic, but its header says how long the file must be.
    private static bool IsMessage(string file)
    {
        Span<byte> header = stackalloc byte[HeaderBytes];
        if (!File.Exists(file) || !TryReadStart(file, header, out var length))
        {
            return false;
        }

        var block = BinaryPrimitives.ReadUInt16LittleEndian(header) * WordBytes;
        var total = BinaryPrimitives.ReadUInt32LittleEndian(header[4..]);
        return block > 0 && header[2] == Version && header[3] == 0 && total % WordBytes == 0 && total >= HeaderBytes + block && total == length;
    }

    // Pipes and devices are not opened, and links to them neither: they could wait for ever.
    private static bool TryReadStart(string path, Span<byte> start, out long length)
    {
        var info = FileAt(path);
        length = (info.Attributes & (FileAttributes.Device | FileAttributes.Directory)) == 0 ? info.Length : 0;
        if (length == 0)
        {
            return false;
        }

        using var file = File.OpenHandle(path, share: FileShare.ReadWrite | FileShare.Delete);
        return RandomAccess.Read(file, start, 0) == start.Length;
    }
}
