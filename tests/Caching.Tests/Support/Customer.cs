namespace BufferedMessages.Caching.Tests;

/// <summary>A message that no view of an order can read.</summary>
[BufferedMessageSource]
public partial class Customer
{
    public required string Name { get; init; }

    public Guid Id { get; init; }
}
