using BufferedMessages;

namespace Toolkit.Benchmarks.Messages.Tables;

/// <summary>A dictionary of three messages.</summary>
[BufferedMessageSource]
public sealed partial class Table
{
    public Dictionary<string, Row> Rows { get; set; } = [];

    /// <summary>Makes a table with usual values.</summary>
    public static Table Create() => new()
    {
        Rows = new Dictionary<string, Row>(StringComparer.Ordinal)
        {
            ["primary"] = new Row { Id = 9_000_001, Name = "database-1.example.com", Load = 0.75 },
            ["replica-of-primary"] = new Row { Id = 9_000_002, Name = "database-2.example.com", Load = 0.25 },
            ["archive"] = new Row { Id = 9_000_003, Name = "archive", Load = 0.01 },
        },
    };
}

/// <summary>A message in the dictionary.</summary>
[BufferedMessageSource]
public sealed partial class Row
{
    public long Id { get; set; }

    public string Name { get; set; } = "";

    public double Load { get; set; }
}
