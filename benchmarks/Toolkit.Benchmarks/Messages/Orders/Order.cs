using BufferedMessages;

namespace Toolkit.Benchmarks.Messages.Orders;

/// <summary>
/// A flat message of 20 members, as a trading system sends many of: 5 strings and 15 values. Times are nanoseconds since 1970, so that all
/// libraries store the same.
/// </summary>
[BufferedMessageSource]
public sealed partial class Order
{
    public long Id { get; set; }
    public string? ClientOrderId { get; set; }
    public string? Symbol { get; set; }
    public string? Account { get; set; }
    public string? Venue { get; set; }
    public string? Currency { get; set; }
    public Side Side { get; set; }
    public OrderKind Kind { get; set; }
    public int Quantity { get; set; }
    public int Filled { get; set; }
    public double Price { get; set; }
    public double StopPrice { get; set; }
    public float Leverage { get; set; }
    public long CreatedAt { get; set; }
    public long ExpiresAt { get; set; }
    public ulong Sequence { get; set; }
    public uint Strategy { get; set; }
    public ushort Desk { get; set; }
    public bool PostOnly { get; set; }
    public bool ReduceOnly { get; set; }

    /// <summary>Makes an order with usual values.</summary>
    public static Order Create() => new()
    {
        Id = 7_340_001_882,
        ClientOrderId = "9f1c2d7e-4b60-4ac2-8f5d",
        Symbol = "EURUSD",
        Account = "ACC-0017-442",
        Venue = "XETRA",
        Currency = "EUR",
        Side = Side.Sell,
        Kind = OrderKind.StopLimit,
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

/// <summary>The side of an order.</summary>
public enum Side : byte
{
    Buy,
    Sell,
}

/// <summary>The kind of an order.</summary>
public enum OrderKind : byte
{
    Market,
    Limit,
    StopLimit,
}
