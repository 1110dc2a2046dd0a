using System.Text.Json.Serialization;

namespace Toolkit.Benchmarks.Messages.Orders;

/// <summary>System.Text.Json, source generated, for the order.</summary>
[JsonSerializable(typeof(Order))]
internal sealed partial class OrderJson : JsonSerializerContext;

/// <summary>The order as a Protobuf object.</summary>
internal static class OrderProtobuf
{
    public static Protobuf.Order Convert(Order source) => new()
    {
        Id = source.Id,
        ClientOrderId = source.ClientOrderId,
        Symbol = source.Symbol,
        Account = source.Account,
        Venue = source.Venue,
        Currency = source.Currency,
        Side = (uint)source.Side,
        Kind = (uint)source.Kind,
        Quantity = source.Quantity,
        Filled = source.Filled,
        Price = source.Price,
        StopPrice = source.StopPrice,
        Leverage = source.Leverage,
        CreatedAt = (ulong)source.CreatedAt,
        ExpiresAt = (ulong)source.ExpiresAt,
        Sequence = source.Sequence,
        Strategy = source.Strategy,
        Desk = source.Desk,
        PostOnly = source.PostOnly,
        ReduceOnly = source.ReduceOnly,
    };
}
