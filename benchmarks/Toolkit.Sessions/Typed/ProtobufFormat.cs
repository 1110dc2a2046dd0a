using Google.Protobuf;
using Toolkit.Benchmarks.Messages.Orders;
using Protobuf = Toolkit.Benchmarks.Messages.Orders.Protobuf;

namespace BufferedMessages.Sessions;

/// <summary>Google.Protobuf: written in place; to read means to parse.</summary>
internal sealed class ProtobufFormat : IOrderFormat
{
    private readonly Protobuf.Order _order = OrderProtobuf.Convert(Order.Create());

    /// <inheritdoc cref="MessageFormat.Sum"/>
    public double Sum { get; private set; }

    public int Prepare(long number)
    {
        _order.Id = number;
        return _order.CalculateSize();
    }

    public void Write(Span<byte> destination) => _order.WriteTo(destination);

    public long Read(ReadOnlySpan<byte> message, bool hasAllFields)
    {
        var order = Protobuf.Order.Parser.ParseFrom(message);
        if (hasAllFields)
        {
            Sum += order.ClientOrderId[^1] + order.Symbol[^1] + order.Account[^1] + order.Venue[^1] + order.Currency[^1]
                + order.Side + order.Kind + order.Quantity + order.Filled + order.Price + order.StopPrice + order.Leverage
                + order.CreatedAt + order.ExpiresAt + order.Sequence + order.Strategy + order.Desk
                + (order.PostOnly ? 1 : 0) + (order.ReduceOnly ? 1 : 0);
        }

        return order.Id;
    }
}
