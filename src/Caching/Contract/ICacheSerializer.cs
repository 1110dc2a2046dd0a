using System.Buffers;

namespace BufferedMessages.Caching;

/// <summary>A serializer for values of any type, which a cache stores as bytes. Many threads call it at the same time.</summary>
/// <typeparam name="T">The type of the values.</typeparam>
public interface ICacheSerializer<T>
{
    /// <summary>
    /// Gets the name of the format, for example <c>json</c>: always the same one, in all processes. Only a serializer with the name that an entry was set with can read it; for others it is a miss.
    /// Change the name when the format changes.
    /// </summary>
    string Name { get; }

    /// <summary>Writes a value.</summary>
    /// <param name="value">The value.</param>
    /// <param name="destination">The buffer for the bytes.</param>
    void Serialize(T value, IBufferWriter<byte> destination);

    /// <summary>Reads a value.</summary>
    /// <param name="bytes">The bytes in the cache. They are valid only during the call: copy any bytes that the value keeps.</param>
    T Deserialize(ReadOnlySpan<byte> bytes);
}
