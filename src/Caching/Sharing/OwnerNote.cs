using System.Buffers.Binary;
using BufferedMessages.Wire;

namespace BufferedMessages.Caching;

/// <summary>The note of the owner in <c>sharing/owner</c>: the name of its queue, and the version of the changes, the answers and their queues. A process reads it before it asks.</summary>
/// <param name="Version">The version, whose place in the bytes never changes.</param>
/// <param name="RequiredFeatures">Bits that a process must know before it asks. Their place never changes either.</param>
/// <param name="Queue">The name of the owner's queue, if the version and the features are known.</param>
internal readonly record struct OwnerNote(int Version, uint RequiredFeatures, Guid Queue)
{
    /// <summary>The version that this program knows, without required features.</summary>
    public const int KnownVersion = 1;

    private const int FeaturesOffset = 4;
    private const int QueueOffset = 16;
    private const int CheckOffset = 32;
    private const int Bytes = CheckOffset + sizeof(ulong);

    /// <summary>Gets whether this program can ask the owner.</summary>
    public bool IsKnown => Version == KnownVersion && RequiredFeatures == 0;

    /// <summary>The note of this program.</summary>
    public static OwnerNote Of(Guid queue) => new(KnownVersion, 0, queue);

    /// <summary>Reads a note; the default value when there is none yet, or it is damaged. A later version may be longer, but ends with the check too.</summary>
    public static OwnerNote Read(ReadOnlySpan<byte> bytes) =>
        bytes.Length >= Bytes && BinaryPrimitives.ReadUInt64LittleEndian(bytes[^sizeof(ulong)..]) == XxHash64.Hash(bytes[..^sizeof(ulong)])
            ? new OwnerNote(BinaryPrimitives.ReadInt32LittleEndian(bytes), BinaryPrimitives.ReadUInt32LittleEndian(bytes[FeaturesOffset..]), new Guid(bytes[QueueOffset..CheckOffset]))
            : default;

    /// <summary>Returns the bytes of the file.</summary>
    public byte[] ToBytes()
    {
        var bytes = new byte[Bytes];
        BinaryPrimitives.WriteInt32LittleEndian(bytes, Version);
        BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan(FeaturesOffset), RequiredFeatures);
        Queue.TryWriteBytes(bytes.AsSpan(QueueOffset));
        BinaryPrimitives.WriteUInt64LittleEndian(bytes.AsSpan(CheckOffset), XxHash64.Hash(bytes.AsSpan(0, CheckOffset)));
        return bytes;
    }
}
