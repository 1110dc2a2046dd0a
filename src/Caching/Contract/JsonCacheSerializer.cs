using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace BufferedMessages.Caching;

/// <summary>A serializer of values as JSON, by <see cref="JsonSerializer"/>. As always with JSON, a newer program may add and remove members. Thread-safe.</summary>
/// <typeparam name="T">The type of the values.</typeparam>
public sealed class JsonCacheSerializer<T> : ICacheSerializer<T>
{
    private readonly JsonTypeInfo<T> _type;

    /// <summary>Creates a serializer from source-generated metadata of a type. It works in trimmed and native programs.</summary>
    /// <param name="type">The metadata of the type, for example <c>ShopContext.Default.Order</c>.</param>
    public JsonCacheSerializer(JsonTypeInfo<T> type)
    {
        ArgumentNullException.ThrowIfNull(type);
        _type = type;
    }

    /// <summary>Creates a serializer that finds the members of the type by reflection.</summary>
    /// <param name="options">The options; null uses <see cref="JsonSerializerOptions.Default"/>. Values are always written without indentation. The options become read-only.</param>
    [RequiresUnreferencedCode("Trimming may remove members of the type. Pass a JsonTypeInfo of a JsonSerializerContext.")]
    [RequiresDynamicCode("Reading by reflection may need code that is generated at run time. Pass a JsonTypeInfo of a JsonSerializerContext.")]
    public JsonCacheSerializer(JsonSerializerOptions? options = null)
    {
        options ??= JsonSerializerOptions.Default;

        // Options that were not used yet do not know any type.
        options.MakeReadOnly(populateMissingResolver: true);
        _type = (JsonTypeInfo<T>)options.GetTypeInfo(typeof(T));
    }

    /// <summary>Gets <c>json</c>.</summary>
    public string Name => "json";

    /// <inheritdoc/>
    /// <exception cref="NotSupportedException">JSON cannot hold the value.</exception>
    public void Serialize(T value, IBufferWriter<byte> destination)
    {
        // The writer's own options take precedence over those of the serializer.
        using var writer = new Utf8JsonWriter(destination, new JsonWriterOptions { Encoder = _type.Options.Encoder, MaxDepth = _type.Options.MaxDepth });
        JsonSerializer.Serialize(writer, value, _type);
    }

    /// <inheritdoc/>
    /// <exception cref="JsonException">The stored value is of another type.</exception>
    public T Deserialize(ReadOnlySpan<byte> bytes) => JsonSerializer.Deserialize(bytes, _type)!;
}
