namespace BufferedMessages.BridgeBenchmarks;

/// <summary>The message that is measured: 104 bytes with a symbol of four letters and a body of 64 bytes.</summary>
[BufferedMessageSource]
public partial class Tick
{
    public long Sequence { get; set; }

    public long Time { get; set; }

    public string? Symbol { get; set; }

    public byte[]? Body { get; set; }
}
