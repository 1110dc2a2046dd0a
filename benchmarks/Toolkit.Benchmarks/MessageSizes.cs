using Google.Protobuf;
using BufferedMessages;
using Toolkit.Benchmarks.Messages;
using Toolkit.Benchmarks.Messages.Container;
using Toolkit.Benchmarks.Messages.Documents;
using Toolkit.Benchmarks.Messages.Entities;
using Toolkit.Benchmarks.Messages.Orders;
using Toolkit.Benchmarks.Messages.People;
using Toolkit.Benchmarks.Messages.Records;
using Toolkit.Benchmarks.Messages.Tables;

namespace Toolkit.Benchmarks;

/// <summary>Bytes of the serialized messages, by scenario and library.</summary>
internal static class MessageSizes
{
    public static IReadOnlyDictionary<string, IReadOnlyDictionary<string, int>> All() => new Dictionary<string, IReadOnlyDictionary<string, int>>(StringComparer.Ordinal)
    {
        ["Container"] = Of(new ContainerBenchmarks()),
        ["Order"] = Of(new OrderBenchmarks()),
        ["Person"] = Of(new PersonBenchmarks()),
        ["Entity"] = Of(new EntityBenchmarks()),
        ["Record"] = Of(new RecordBenchmarks()),
        ["Table"] = Of(new TableBenchmarks()),
        ["AccessLog"] = Of(new AccessLogBenchmarks()),
        ["Catalogue"] = Of(new CatalogueBenchmarks()),
    };

    private static IReadOnlyDictionary<string, int> Of<TSource, TProtobuf>(MessageBenchmarks<TSource, TProtobuf> benchmarks)
        where TSource : class, IBufferedMessageSource<TSource>
        where TProtobuf : class, IMessage<TProtobuf>, new()
    {
        using (benchmarks)
        {
            benchmarks.Setup();
            return benchmarks.Sizes();
        }
    }
}
