namespace BufferedMessages.Runtime.Tests.Wire;

/// <summary>Tuples, and keys with their values, wherever a message can stand.</summary>
[BufferedMessageSource]
internal partial class Basket
{
    public (int Left, int) Size { get; set; } = (7, 8);

    public (string? Sku, decimal Price)? Best { get; set; }

    public List<(string Name, int Count)>? Lines { get; set; }

    public (Inner? Item, DateOnly? Until)?[]? Offers { get; set; }

    public Dictionary<string, (int[]? Stock, (double Low, double High) Range)>? Prices { get; set; }

    public KeyValuePair<string, int> Top { get; set; }

    public Queue<KeyValuePair<int, Inner?>>? Ranking { get; set; }

    public (int A, int B, int C, int D, int E, int F, int G, string? H, int I) Long { get; set; }
}

/// <summary>A member that is a tuple.</summary>
[BufferedMessageSource(GenerateWriter = true)]
internal partial class WithTuple
{
    public (byte Flag, string? Name, long Number) Value { get; set; }

    public List<(byte Flag, string? Name, long Number)>? Values { get; set; }
}

/// <summary>The same with a source in place of the tuple.</summary>
[BufferedMessageSource]
internal partial class WithRecord
{
    public Named Value { get; set; }

    public List<Named>? Values { get; set; }
}

[BufferedMessageSource]
internal partial record struct Named(byte Flag, string? Name, long Number);

/// <summary>The tuple when it had fewer items.</summary>
[BufferedMessageSource]
internal partial class WithShortTuple
{
    public (byte, string?) Value { get; set; }

    public List<(byte Code, string? Text)>? Values { get; set; }
}

/// <summary>An item of the tuple is of another type.</summary>
[BufferedMessageSource]
internal partial class WithOtherTuple
{
    public (byte Flag, string? Name, int Number) Value { get; set; }
}
