using System.Text.Json.Serialization;

namespace Toolkit.Benchmarks.Messages.Records;

/// <summary>System.Text.Json, source generated, for the record.</summary>
[JsonSerializable(typeof(Record))]
internal sealed partial class RecordJson : JsonSerializerContext;

/// <summary>The record as Protobuf objects.</summary>
internal static class RecordProtobuf
{
    public static Protobuf.Record Convert(Record source) => new()
    {
        Data =
        {
            source.Data.Select(static data => new Protobuf.Foobarbazqux
            {
                Qux = data.Qux,
                Foobarbaz = new Protobuf.Foobarbaz
                {
                    Baz = data.Foobarbaz.Baz,
                    Foobar = new Protobuf.Foobar { Foo = data.Foobarbaz.Foobar.Foo, Bar = data.Foobarbaz.Foobar.Bar },
                },
            }),
        },
    };
}
