namespace BufferedMessages.Bridges.Tests;

/// <summary>A message with the name of a tick and other members.</summary>
[BufferedMessageSource]
public partial class OtherTick
{
    public string? Sequence { get; set; }
}
