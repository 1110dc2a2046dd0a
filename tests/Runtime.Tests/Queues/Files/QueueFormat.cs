using System.Buffers.Binary;
using System.Security.Cryptography;
using BufferedMessages.Queues;

namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>The bytes of queue files as docs/format/queues.md has them, read and written without the engine.</summary>
internal static class QueueFormat
{
    public const int VersionOffset = 20;
    public const int RequiredFeaturesOffset = 24;
    public const int OptionalFeaturesOffset = 28;
    public const int CheckOffset = 124;
    public const int ControlVersionOffset = 4;
    public const int ControlRequiredFeaturesOffset = 28;
    public const int ControlContentOffset = 64;
    public const int ControlRetentionFlagsOffset = 120;
    public const int ControlOptionalFeaturesOffset = 124;
    public const int ControlOpenSegmentsOffset = 384;
    public const int ControlFirstSegmentOffset = 1024;
    public const int ControlIdOffset = 1552;
    public const int ControlRingSlotsOffset = 167_424;

    private const int FirstCheckedByte = 16;

    /// <summary>CRC-32C.</summary>
    public static uint Check(ReadOnlySpan<byte> bytes)
    {
        const uint ReflectedPolynomial = 0x82F63B78;
        var crc = ~0u;
        foreach (var value in bytes)
        {
            crc ^= value;
            for (var bit = 0; bit < 8; bit++)
            {
                crc = (crc >> 1) ^ ((crc & 1) * ReflectedPolynomial);
            }
        }

        return ~crc;
    }

    /// <summary>Where a segment is: its file, and its offset in the file. In a ring, of the first lap.</summary>
    public static (string File, long Offset) Place(QueueDirectory directory, int segment) =>
        (directory.SegmentFile(segment * QueueDirectory.SmallSegment), directory.IsBounded ? segment * QueueDirectory.SmallSegment : 0);

    public static byte[] ReadSegment(QueueDirectory directory, int segment)
    {
        var (file, offset) = Place(directory, segment);
        return File.ReadAllBytes(file).AsSpan((int)offset, (int)QueueDirectory.SmallSegment).ToArray();
    }

    public static void WriteSegment(QueueDirectory directory, int segment, ReadOnlySpan<byte> bytes)
    {
        var (file, offset) = Place(directory, segment);
        QueueDirectory.Damage(file, offset, bytes);
    }

    /// <summary>Changes bytes of a segment's header, and gives it the check that fits.</summary>
    public static void ChangeHeader(QueueDirectory directory, int segment, int offset, params ReadOnlySpan<byte> bytes)
    {
        var header = ReadSegment(directory, segment)[..SegmentHeader.Bytes];
        bytes.CopyTo(header.AsSpan(offset));
        BinaryPrimitives.WriteUInt32LittleEndian(header.AsSpan(CheckOffset), Check(header.AsSpan(FirstCheckedByte, CheckOffset - FirstCheckedByte)));
        WriteSegment(directory, segment, header);
    }

    /// <summary>The hashes of all files but the control file and the leases.</summary>
    public static IReadOnlyList<string> HashesOfMessages(QueueDirectory directory) =>
    [
        .. from file in Directory.EnumerateFiles(directory.Path, "*", SearchOption.AllDirectories)
           let name = Path.GetRelativePath(directory.Path, file)
           where file != directory.ControlFile && !name.StartsWith("leases", StringComparison.Ordinal)
           orderby name
           select $"{name} {Convert.ToHexString(SHA256.HashData(File.ReadAllBytes(file)))}",
    ];

    /// <summary>The id of a queue.</summary>
    public static Guid IdOf(QueueDirectory directory) => new(File.ReadAllBytes(directory.ControlFile).AsSpan(ControlIdOffset, 16));
}
