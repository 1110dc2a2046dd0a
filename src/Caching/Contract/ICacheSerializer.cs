using System.Buffers;

namespace BufferedMessages.Caching;

/// <summary>Writes and reads values of any type, for a cache that holds their bytes. Called by many threads at once.</summary>
/// <typeparam name="T">The type of the values.</typeparam>
public interface ICacheSerializer<T>
{
    /// <summary>Writes a value.</summary>
    /// <param name="value">The value.</param>
    /// <param name="destination">Takes the bytes.</param>
    void Serialize(T value, IBufferWriter<byte> destination);

    /// <summary>Makes a value of its bytes.</summary>
    /// <param name="bytes">The bytes in the cache. They are gone after the call: copy what the value keeps.</param>
    T Deserialize(ReadOnlySpan<byte> bytes);
}
