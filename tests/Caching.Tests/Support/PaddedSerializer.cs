using System.Buffers;

namespace BufferedMessages.Caching.Tests;

/// <summary>Numbers that need most of a segment.</summary>
internal sealed class PaddedSerializer : ICacheSerializer<int>
{
    public string Name => "padded";

    public void Serialize(int value, IBufferWriter<byte> destination)
    {
        destination.Write(BitConverter.GetBytes(value));
        destination.Write(new byte[50_000]);
    }

    public int Deserialize(ReadOnlySpan<byte> bytes) => BitConverter.ToInt32(bytes);
}
