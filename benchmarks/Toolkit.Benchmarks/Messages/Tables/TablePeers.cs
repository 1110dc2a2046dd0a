using System.Text.Json.Serialization;

namespace Toolkit.Benchmarks.Messages.Tables;

/// <summary>System.Text.Json, source generated, for the table.</summary>
[JsonSerializable(typeof(Table))]
internal sealed partial class TableJson : JsonSerializerContext;

/// <summary>The table as a Protobuf object.</summary>
internal static class TableProtobuf
{
    public static Protobuf.Table Convert(Table source)
    {
        var table = new Protobuf.Table();
        foreach (var (key, row) in source.Rows)
        {
            table.Rows.Add(key, new Protobuf.Row { Id = row.Id, Name = row.Name, Load = row.Load });
        }

        return table;
    }
}
