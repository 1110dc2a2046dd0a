using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace BufferedMessages.Caching;

/// <summary>Values as JSON, by <see cref="JsonSerializer"/>. A newer program may add and remove members, as everywhere in JSON. Safe for all threads.</summary>
/// <typeparam name="T">The type of the values.</typeparam>
public sealed class JsonCacheSerializer<T> : ICacheSerializer<T>
{
    private readonly JsonTypeInfo<T> _type;

    /// <summary>Makes a serializer of a type that the source generator of <see cref="JsonSerializer"/> knows, so that it works in trimmed and native programs.</summary>
    /// <param name="type">The type: <c>ShopContext.Default.Order</c>.</param>
    public JsonCacheSerializer(JsonTypeInfo<T> type)
    {
        ArgumentNullException.ThrowIfNull(type);
        _type = type;
    }

    /// <summary>Makes a serializer that finds the members of the type by reflection.</summary>
    /// <param name="options">How values are written, though always without indentation; null is <see cref="JsonSerializerOptions.Default"/>. They cannot be changed any more.</param>
    [RequiresUnreferencedCode("Trimming may remove members of the type. Pass a JsonTypeInfo of a JsonSerializerContext.")]
    [RequiresDynamicCode("Reading by reflection may need code that is made when the program runs. Pass a JsonTypeInfo of a JsonSerializerContext.")]
    public JsonCacheSerializer(JsonSerializerOptions? options = null)
    {
        options ??= JsonSerializerOptions.Default;

        // Options that were not used yet know no type.
        options.MakeReadOnly(populateMissingResolver: true);
        _type = (JsonTypeInfo<T>)options.GetTypeInfo(typeof(T));
    }

    /// <summary>Gets <c>json</c>.</summary>
    public string Name => "json";

    /// <inheritdoc/>
    /// <exception cref="NotSupportedException">JSON cannot hold the value.</exception>
    public void Serialize(T value, IBufferWriter<byte> destination)
    {
        // A writer has options of its own, which count in place of these.
        using var writer = new Utf8JsonWriter(destination, new JsonWriterOptions { Encoder = _type.Options.Encoder, MaxDepth = _type.Options.MaxDepth });
        JsonSerializer.Serialize(writer, value, _type);
    }

    /// <inheritdoc/>
    /// <exception cref="JsonException">The value was that of another type.</exception>
    public T Deserialize(ReadOnlySpan<byte> bytes) => JsonSerializer.Deserialize(bytes, _type)!;
}
