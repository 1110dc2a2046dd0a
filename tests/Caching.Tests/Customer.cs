namespace BufferedMessages.Caching.Tests;

/// <summary>Another message, which no order's view can read.</summary>
[BufferedMessageSource]
public partial class Customer
{
    public required string Name { get; init; }

    public Guid Id { get; init; }
}
