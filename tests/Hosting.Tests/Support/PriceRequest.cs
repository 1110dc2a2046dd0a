namespace BufferedMessages.Hosting.Tests;

/// <summary>The request of the tests.</summary>
[BufferedMessageSource]
public partial class PriceRequest
{
    public long Article { get; set; }

    public string? Note { get; set; }
}
