using System.Buffers;

namespace BufferedMessages.Caching.Tests;

/// <summary>Numbers as four bytes.</summary>
internal sealed class NumberSerializer : ICacheSerializer<int>
{
    public string Name => "number";

    public void Serialize(int value, IBufferWriter<byte> destination) => destination.Write(BitConverter.GetBytes(value));

    public int Deserialize(ReadOnlySpan<byte> bytes) => BitConverter.ToInt32(bytes);
}
