using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using BufferedMessages;
using Google.Protobuf;
using Toolkit.Benchmarks.Container;
using Toolkit.Benchmarks.Documents;

namespace Toolkit.Benchmarks;

/// <summary>Bytes of the serialized data, by scenario and library.</summary>
internal static class MessageSizes
{
    public static IReadOnlyDictionary<string, IReadOnlyDictionary<string, int>> All()
    {
        var container = FooBarContainer.Create(entries: 30);
        var log = DocumentData.AccessLog();
        var catalogue = DocumentData.Catalogue();
        return new Dictionary<string, IReadOnlyDictionary<string, int>>(StringComparer.Ordinal)
        {
            ["Container"] = Of(container, ContainerJson.Default.FooBarContainer, ContainerProtobuf.Convert(container)),
            ["AccessLog"] = Of(log, DocumentJson.Default.AccessLog, DocumentProtobuf.Convert(log)),
            ["Catalogue"] = Of(catalogue, DocumentJson.Default.Catalogue, DocumentProtobuf.Convert(catalogue)),
        };
    }

    private static Dictionary<string, int> Of<TSource>(TSource source, JsonTypeInfo<TSource> jsonType, IMessage protobuf)
        where TSource : IBufferedMessageSource<TSource>
        => new(StringComparer.Ordinal)
        {
            ["BufferedMessages"] = source.CalculateSize(),
            ["SystemTextJson"] = JsonSerializer.SerializeToUtf8Bytes(source, jsonType).Length,
            ["Protobuf"] = protobuf.CalculateSize(),
        };
}
