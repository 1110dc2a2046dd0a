namespace BufferedMessages.Bridges.Tests;

/// <summary>The message of the tests.</summary>
[BufferedMessageSource]
public partial class Tick
{
    public long Sequence { get; set; }

    public string? Symbol { get; set; }
}
