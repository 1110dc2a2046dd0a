namespace BufferedMessages.HostingBenchmarks;

/// <summary>A message as services have them: numbers and two texts.</summary>
[BufferedMessageSource]
public partial class Order
{
    public long Id { get; set; }

    public int Quantity { get; set; }

    public decimal Price { get; set; }

    public string? Customer { get; set; }

    public string? Article { get; set; }
}
