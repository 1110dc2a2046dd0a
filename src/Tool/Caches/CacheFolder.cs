using System.Buffers.Binary;
using System.Numerics;

namespace BufferedMessages.Tool;

/// <summary>
/// The files of a cache, read by docs/format/caches.md and never mapped or locked: a process that uses the cache does not notice it, and nothing is written. What is read may
/// change while it is read; a segment that was reused is left out.
/// </summary>
internal sealed class CacheFolder
{
    private const int ControlBytes = 4096;
    private const int Version = 1;

    private CacheFolder(string path, ReadOnlySpan<byte> control)
    {
        Path = path;
        KeyKind = BinaryPrimitives.ReadInt32LittleEndian(control[12..]);
        SegmentBytes = BinaryPrimitives.ReadInt64LittleEndian(control[16..]);
        WriterProcess = BinaryPrimitives.ReadInt32LittleEndian(control[88..]);
        Generation = BinaryPrimitives.ReadInt64LittleEndian(control[128..]);
        Cleared = BinaryPrimitives.ReadUInt64LittleEndian(control[136..]);
    }

    /// <summary>Gets the folder.</summary>
    public string Path { get; }

    /// <summary>Gets the kind of the keys, as the control file numbers it.</summary>
    public int KeyKind { get; }

    /// <summary>Gets the size of a segment in bytes.</summary>
    public long SegmentBytes { get; }

    /// <summary>Gets the process that opened the cache for writing last; 0 if it closed it.</summary>
    public int WriterProcess { get; }

    /// <summary>Gets the number of the index file.</summary>
    public long Generation { get; }

    /// <summary>Gets the sequence number up to which records were removed by a clear.</summary>
    public ulong Cleared { get; }

    /// <summary>Reads the control file.</summary>
    /// <exception cref="ToolException">It is damaged, or a newer program wrote it.</exception>
    public static CacheFolder Open(string path)
    {
        var file = System.IO.Path.Combine(path, "cache");
        Span<byte> control = stackalloc byte[ControlBytes];
        using (var handle = File.OpenHandle(file, share: FileShare.ReadWrite | FileShare.Delete))
        {
            if (RandomAccess.Read(handle, control, 0) < ControlBytes)
            {
                throw new ToolException($"'{file}' is cut off: a control file has more than {ControlBytes} bytes.", ExitCode.Negative);
            }
        }

        var version = BinaryPrimitives.ReadInt32LittleEndian(control[8..]);
        if (version != Version || BinaryPrimitives.ReadUInt32LittleEndian(control[32..]) != 0)
        {
            throw new ToolException($"A newer program wrote the cache in '{path}' (version {version}). Update this tool.");
        }

        var folder = new CacheFolder(path, control);
        return folder.IsValid(control) ? folder : throw new ToolException($"The control file '{file}' is damaged: its check differs. The cache makes a new one when its folder is deleted.", ExitCode.Negative);
    }

    /// <summary>Gets the files of the segments, in the order of their slots.</summary>
    public IEnumerable<(int Slot, string File)> Segments() =>
        from file in Directory.EnumerateFiles(Path, "*.segment")
        let name = System.IO.Path.GetFileNameWithoutExtension(file)
        where int.TryParse(name, System.Globalization.NumberStyles.None, System.Globalization.CultureInfo.InvariantCulture, out _)
        let slot = int.Parse(name, System.Globalization.CultureInfo.InvariantCulture)
        orderby slot
        select (slot, file);

    // The check is over the magic, the kind of the keys, the version, and the bytes of a segment with the number of slots.
    private bool IsValid(ReadOnlySpan<byte> control)
    {
        var slots = (ulong)BinaryPrimitives.ReadInt32LittleEndian(control[24..]);
        var check = BitOperations.Crc32C(uint.MaxValue, BinaryPrimitives.ReadUInt64LittleEndian(control));
        check = BitOperations.Crc32C(check, (uint)KeyKind);
        check = BitOperations.Crc32C(check, (uint)Version);
        check = BitOperations.Crc32C(check, (ulong)SegmentBytes ^ (slots << 40));
        return check == BinaryPrimitives.ReadUInt32LittleEndian(control[28..]) && SegmentBytes >= 64 * 1024 && BitOperations.IsPow2(SegmentBytes) && SegmentBytes <= 1024 * 1024 * 1024;
    }
}
