using System.Buffers;

namespace BufferedMessages.Caching;

/// <summary>A serializer that writes and reads values of any type, for a cache that holds their bytes. Many threads call it at the same time.</summary>
/// <typeparam name="T">The type of the values.</typeparam>
public interface ICacheSerializer<T>
{
    /// <summary>
    /// Gets the name of the format, for example <c>json</c>: always the same one, in all processes. An entry is read only by serializers of the name that has set it; for others it is a miss.
    /// Change the name when the format changes.
    /// </summary>
    string Name { get; }

    /// <summary>Writes a value.</summary>
    /// <param name="value">The value.</param>
    /// <param name="destination">The buffer for the bytes.</param>
    void Serialize(T value, IBufferWriter<byte> destination);

    /// <summary>Reads a value.</summary>
    /// <param name="bytes">The bytes in the cache. They must not be used after the call: copy the bytes that the value keeps.</param>
    T Deserialize(ReadOnlySpan<byte> bytes);
}
