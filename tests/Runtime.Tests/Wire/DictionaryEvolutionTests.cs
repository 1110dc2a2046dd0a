namespace BufferedMessages.Runtime.Tests.Wire;

[BufferedMessageSource]
internal partial class OldTable
{
    public Dictionary<string, OldRow> Rows { get; set; } = [];
}

[BufferedMessageSource]
internal partial class OldRow
{
    public int Number { get; set; }
}

[BufferedMessageSource]
internal partial class NewTable
{
    public Dictionary<string, NewRow> Rows { get; set; } = [];
}

[BufferedMessageSource]
internal partial class NewRow
{
    public int Number { get; set; }
    public string? Text { get; set; }
    public List<int>? Numbers { get; set; }
}

/// <summary>A message that is the value of a dictionary gets members.</summary>
public class DictionaryEvolutionTests
{
    [Theory]
    [InlineData(3)]
    [InlineData(30)]
    public void An_older_program_reads_the_values_of_a_newer_one(int count)
    {
        var source = new NewTable { Rows = Enumerable.Range(0, count).ToDictionary(NameOf, static i => new NewRow { Number = i, Text = NameOf(i), Numbers = [i] }) };
        var view = new OldTableBufferedMessage(source.ToMessageArray());

        for (var i = 0; i < count; i++)
        {
            Assert.Equal(i, view.Rows[NameOf(i)].Number);
        }

        Assert.Equal(count, view.ToOldTable().Rows.Count);
    }

    [Theory]
    [InlineData(3)]
    [InlineData(30)]
    public void A_newer_program_reads_the_values_of_an_older_one(int count)
    {
        var source = new OldTable { Rows = Enumerable.Range(0, count).ToDictionary(NameOf, static i => new OldRow { Number = i }) };
        var view = new NewTableBufferedMessage(source.ToMessageArray());

        for (var i = 0; i < count; i++)
        {
            var row = view.Rows[NameOf(i)];
            Assert.Equal(i, row.Number);
            Assert.True(row.Text.IsNull && row.Numbers.IsNull);
        }
    }

    [Fact]
    public void Both_schemas_are_compatible()
    {
        SchemaOf<OldTable>().RequireCompatible(SchemaOf<NewTable>());
        SchemaOf<NewTable>().RequireCompatible(SchemaOf<OldTable>());
    }

    private static MessageSchema SchemaOf<TSource>()
        where TSource : IBufferedMessageSource<TSource>
        => TSource.Schema;

    private static string NameOf(int number) => $"row number {number}";
}
