using System.Buffers;
using System.Text.Json;

namespace BufferedMessages.Caching.Tests;

/// <summary>The serializer of docs/from-faster-kv-cache.md.</summary>
// <json>
public sealed class JsonCacheSerializer<T> : ICacheSerializer<T>
{
    public void Serialize(T value, IBufferWriter<byte> destination)
    {
        using var writer = new Utf8JsonWriter(destination);
        JsonSerializer.Serialize(writer, value);
    }

    public T Deserialize(ReadOnlySpan<byte> bytes) => JsonSerializer.Deserialize<T>(bytes)!;
}
// </json>
