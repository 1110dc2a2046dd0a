namespace BufferedMessages.Sessions;

/// <summary>The trade for Protobuf.</summary>
internal static class ProtobufTrade
{
    /// <summary>Makes the same as a Protobuf object.</summary>
    public static Peers.Trade Create()
    {
        var trade = Trade.Create();
        return new Peers.Trade
        {
            Order = trade.Order,
            Symbol = trade.Symbol,
            Account = trade.Account,
            Venue = trade.Venue,
            Currency = trade.Currency,
            Side = (uint)trade.Side,
            Quantity = trade.Quantity,
            Price = trade.Price,
            CreatedAt = trade.CreatedAt,
            Strategy = trade.Strategy,
            IsFinal = trade.IsFinal,
        };
    }
}
