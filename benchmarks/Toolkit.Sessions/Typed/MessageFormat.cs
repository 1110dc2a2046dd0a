using Toolkit.Benchmarks.Messages.Orders;

namespace BufferedMessages.Sessions;

/// <summary>This project: written in place, read in place.</summary>
internal sealed class MessageFormat : IOrderFormat
{
    private readonly Order _order = Order.Create();

    /// <summary>What was read, so that no read can be left out.</summary>
    public double Sum { get; private set; }

    public int Prepare(long number)
    {
        _order.Id = number;
        return _order.CalculateSize();
    }

    public void Write(Span<byte> destination) => _order.Write(destination);

    public long Read(ReadOnlySpan<byte> message, bool hasAllFields)
    {
        var order = new OrderBufferedMessage(message);
        if (hasAllFields)
        {
            Sum += order.ClientOrderId.Utf8[^1] + order.Symbol.Utf8[^1] + order.Account.Utf8[^1] + order.Venue.Utf8[^1] + order.Currency.Utf8[^1]
                + (int)order.Side + (int)order.Kind + order.Quantity + order.Filled + order.Price + order.StopPrice + order.Leverage
                + order.CreatedAt + order.ExpiresAt + order.Sequence + order.Strategy + order.Desk
                + (order.PostOnly ? 1 : 0) + (order.ReduceOnly ? 1 : 0);
        }

        return order.Id;
    }
}
