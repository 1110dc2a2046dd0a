using BufferedMessages;

namespace Shop;

/// <summary>One line of an order.</summary>
[BufferedMessageSource]
public partial class OrderLine
{
    /// <summary>The article that is ordered.</summary>
    public string Article { get; set; } = "";

    /// <summary>How many of it.</summary>
    public int Quantity { get; set; }

    /// <summary>The price of one; null when it is not agreed yet.</summary>
    public decimal? Price { get; set; }
}
