namespace BufferedMessages.Hosting.Tests;

/// <summary>The reply of the tests.</summary>
[BufferedMessageSource]
public partial class PriceReply
{
    public long Price { get; set; }

    public string? Note { get; set; }
}
