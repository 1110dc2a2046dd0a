namespace BufferedMessages.Hosting.Tests;

/// <summary>The message of the tests.</summary>
[BufferedMessageSource]
public partial class Order
{
    public long Id { get; set; }

    public string? Customer { get; set; }
}
