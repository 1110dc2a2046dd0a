namespace BufferedMessages.Caching.Tests;

/// <summary>A message.</summary>
[BufferedMessageSource]
public partial class Order
{
    public required int Id { get; init; }

    public string? Note { get; init; }

    public List<int> Lines { get; init; } = [];
}
