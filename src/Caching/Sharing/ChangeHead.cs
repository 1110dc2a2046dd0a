using System.Runtime.InteropServices;
using BufferedMessages.Wire;

namespace BufferedMessages.Caching;

/// <summary>The head of a change on its way to the owner. The key follows it, then the value, unless both are in a file, and a checksum.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct ChangeHead
{
    /// <summary>The bytes of a head.</summary>
    public const int Bytes = 112;

    /// <summary>The bytes of the checksum after the value.</summary>
    public const int CheckBytes = sizeof(ulong);

    /// <summary>The name of the queue for the answer.</summary>
    public Guid Answers;

    /// <summary>The name of the file with the key and the value; empty when they follow the head.</summary>
    public Guid ContentFile;

    /// <summary>The number of the change, which its answer repeats.</summary>
    public long Number;
    public ChangeKind Kind;
    public int KeyBytes;
    public int ValueBytes;

    /// <summary>1 when a touch prolongs the entry as a read does.</summary>
    public int ProlongsOnly;
    public ulong Schema;
    public long First;
    public long Latest;
    public long Window;

    /// <summary>The checksum of the key when it is in a file.</summary>
    public ulong KeyCheck;

    /// <summary>The checksum of the value when it is in a file.</summary>
    public ulong ValueCheck;

    /// <summary>The bytes of the tags, which are the last ones of the key.</summary>
    public int TagBytes;

    /// <summary>The group of the tags to remove.</summary>
    public int TagGroup;

    /// <summary>Gets the times, which were resolved by the clock of the process that asks.</summary>
    public readonly ExpiryTimes Times => new(First, Latest, Window);

    /// <summary>Reads a change.</summary>
    /// <returns>False when the bytes cannot be one.</returns>
    public static bool TryRead(ReadOnlySpan<byte> bytes, out ChangeHead head, out ReadOnlySpan<byte> key, out ReadOnlySpan<byte> value)
    {
        key = default;
        value = default;
        if (bytes.Length < Bytes + CheckBytes || MemoryMarshal.Read<ulong>(bytes[^CheckBytes..]) != XxHash64.Hash(bytes[..^CheckBytes]))
        {
            head = default;
            return false;
        }

        head = MemoryMarshal.Read<ChangeHead>(bytes);
        var rest = bytes[Bytes..^CheckBytes];
        var isInFile = head.ContentFile != Guid.Empty;
        var isWhole = head.KeyBytes >= 0 && head.ValueBytes >= 0 && rest.Length == (isInFile ? 0 : (long)head.KeyBytes + head.ValueBytes);
        if (isWhole && !isInFile)
        {
            key = rest[..head.KeyBytes];
            value = rest[head.KeyBytes..];
        }

        return isWhole;
    }

    /// <summary>Writes a change.</summary>
    public readonly void Write(Span<byte> bytes, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        MemoryMarshal.Write(bytes, in this);
        key.CopyTo(bytes[Bytes..]);
        value.CopyTo(bytes[(Bytes + key.Length)..]);
        var check = XxHash64.Hash(bytes[..^CheckBytes]);
        MemoryMarshal.Write(bytes[^CheckBytes..], in check);
    }
}
