namespace BufferedMessages.Caching.Tests;

/// <summary>The same message, one version later.</summary>
[BufferedMessageSource]
public partial class OrderWithTotal
{
    public required int Id { get; init; }

    public string? Comment { get; init; }

    public List<int> Lines { get; init; } = [];

    public double Total { get; init; }
}
