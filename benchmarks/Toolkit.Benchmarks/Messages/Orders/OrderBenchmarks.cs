using BenchmarkDotNet.Attributes;
using BufferedMessages;

namespace Toolkit.Benchmarks.Messages.Orders;

/// <summary>A flat order of 20 members; all of them are read.</summary>
public class OrderBenchmarks : MessageBenchmarks<Order, Protobuf.Order>
{
    [GlobalSetup]
    public override void Setup()
    {
        var source = Order.Create();
        Setup(source, OrderProtobuf.Convert(source), OrderJson.Default.Order);
    }

    protected override bool Verify(ReadOnlySpan<byte> message) => BufferedMessage.Verify<OrderBufferedMessage>(message, out _);

    protected override long ReadView(ReadOnlySpan<byte> message)
    {
        var order = new OrderBufferedMessage(message);
        var clientOrderId = order.ClientOrderId.Utf8;
        var symbol = order.Symbol.Utf8;
        var account = order.Account.Utf8;
        var venue = order.Venue.Utf8;
        var currency = order.Currency.Utf8;
        var sum = clientOrderId.Length + (long)clientOrderId[^1] + symbol.Length + (long)symbol[^1] + account.Length + (long)account[^1]
            + venue.Length + venue[^1] + currency.Length + currency[^1];
        sum += order.Id + (int)order.Side + (int)order.Kind + order.Quantity + order.Filled + (long)order.Price + (long)order.StopPrice + (long)order.Leverage;
        sum += order.CreatedAt + order.ExpiresAt + (long)order.Sequence + order.Strategy + order.Desk + (order.PostOnly ? 1 : 0) + (order.ReduceOnly ? 2 : 0);
        return sum;
    }

    protected override long Read(Order source)
    {
        var clientOrderId = source.ClientOrderId!;
        var symbol = source.Symbol!;
        var account = source.Account!;
        var venue = source.Venue!;
        var currency = source.Currency!;
        var sum = clientOrderId.Length + (long)clientOrderId[^1] + symbol.Length + (long)symbol[^1] + account.Length + (long)account[^1]
            + venue.Length + venue[^1] + currency.Length + currency[^1];
        sum += source.Id + (int)source.Side + (int)source.Kind + source.Quantity + source.Filled + (long)source.Price + (long)source.StopPrice + (long)source.Leverage;
        sum += source.CreatedAt + source.ExpiresAt + (long)source.Sequence + source.Strategy + source.Desk + (source.PostOnly ? 1 : 0) + (source.ReduceOnly ? 2 : 0);
        return sum;
    }

    protected override long Read(Protobuf.Order source)
    {
        var clientOrderId = source.ClientOrderId;
        var symbol = source.Symbol;
        var account = source.Account;
        var venue = source.Venue;
        var currency = source.Currency;
        var sum = clientOrderId.Length + (long)clientOrderId[^1] + symbol.Length + (long)symbol[^1] + account.Length + (long)account[^1]
            + venue.Length + venue[^1] + currency.Length + currency[^1];
        sum += source.Id + (int)source.Side + (int)source.Kind + source.Quantity + source.Filled + (long)source.Price + (long)source.StopPrice + (long)source.Leverage;
        sum += (long)source.CreatedAt + (long)source.ExpiresAt + (long)source.Sequence + source.Strategy + source.Desk + (source.PostOnly ? 1 : 0) + (source.ReduceOnly ? 2 : 0);
        return sum;
    }
}
