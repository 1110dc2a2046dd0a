namespace BufferedMessages.Sessions;

/// <summary>What most programs send: a flat message of 12 members, 5 of them strings.</summary>
[BufferedMessageSource]
internal sealed partial class Trade
{
    public long Id { get; set; }
    public string? Order { get; set; }
    public string? Symbol { get; set; }
    public string? Account { get; set; }
    public string? Venue { get; set; }
    public string? Currency { get; set; }
    public TradeSide Side { get; set; }
    public int Quantity { get; set; }
    public double Price { get; set; }
    public ulong CreatedAt { get; set; }
    public uint Strategy { get; set; }
    public bool IsFinal { get; set; }

    /// <summary>Makes a trade with usual values.</summary>
    public static Trade Create() => new()
    {
        Order = "9f1c2d7e-4b60-4ac2-8f5d",
        Symbol = "EURUSD",
        Account = "ACC-0017-442",
        Venue = "XETRA",
        Currency = "EUR",
        Side = TradeSide.Sell,
        Quantity = 250_000,
        Price = 1.0835,
        CreatedAt = 1_767_225_600_000_000_000,
        Strategy = 4_100_200_300,
        IsFinal = true,
    };
}

/// <summary>The side of a trade.</summary>
internal enum TradeSide : byte
{
    Buy,
    Sell,
}
