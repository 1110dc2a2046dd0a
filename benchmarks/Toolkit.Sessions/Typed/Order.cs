namespace BufferedMessages.Sessions;

/// <summary>A flat message of 20 members: 5 strings and 15 values. Times are nanoseconds since 1970, so that all libraries store the same.</summary>
[BufferedMessageSource]
public sealed partial class Order
{
    public long Id { get; set; }

    public string? ClientOrderId { get; set; }

    public string? Symbol { get; set; }

    public string? Account { get; set; }

    public string? Venue { get; set; }

    public string? Currency { get; set; }

    public int Side { get; set; }

    public int Kind { get; set; }

    public int Quantity { get; set; }

    public int Filled { get; set; }

    public double Price { get; set; }

    public double StopPrice { get; set; }

    public float Leverage { get; set; }

    public long CreatedAt { get; set; }

    public long ExpiresAt { get; set; }

    public ulong Sequence { get; set; }

    public uint Strategy { get; set; }

    public int Desk { get; set; }

    public bool PostOnly { get; set; }

    public bool ReduceOnly { get; set; }

    /// <summary>Makes an order with usual values.</summary>
    public static Order Create() => new()
    {
        ClientOrderId = "9f1c2d7e-4b60-4ac2-8f5d",
        Symbol = "EURUSD",
        Account = "ACC-0017-442",
        Venue = "XETRA",
        Currency = "EUR",
        Side = 1,
        Kind = 2,
        Quantity = 250_000,
        Filled = 100_000,
        Price = 1.0835,
        StopPrice = 1.0812,
        Leverage = 2.5f,
        CreatedAt = 1_767_225_600_000_000_000,
        ExpiresAt = 1_767_312_000_000_000_000,
        Sequence = 18_446_744_073_709_000_000,
        Strategy = 4_100_200_300,
        Desk = 40_012,
        PostOnly = true,
    };
}
