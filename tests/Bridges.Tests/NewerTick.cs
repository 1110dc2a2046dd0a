namespace BufferedMessages.Bridges.Tests;

/// <summary>A tick of a newer version, with another member.</summary>
[BufferedMessageSource]
public partial class NewerTick
{
    public long Sequence { get; set; }

    public string? Symbol { get; set; }

    public string? Note { get; set; }
}
