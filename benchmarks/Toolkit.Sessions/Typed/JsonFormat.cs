using System.Buffers;
using System.Text.Json;
using Toolkit.Benchmarks.Messages.Orders;

namespace BufferedMessages.Sessions;

/// <summary>System.Text.Json, source generated. It cannot know the size before it has written, so it writes to a reused buffer first.</summary>
internal sealed class JsonFormat : IOrderFormat
{
    private readonly Order _order = Order.Create();
    private readonly ArrayBufferWriter<byte> _buffer = new(4096);
    private readonly Utf8JsonWriter _writer;

    public JsonFormat() => _writer = new Utf8JsonWriter(_buffer);

    /// <inheritdoc cref="MessageFormat.Sum"/>
    public double Sum { get; private set; }

    public int Prepare(long number)
    {
        _order.Id = number;
        _buffer.ResetWrittenCount();
        _writer.Reset(_buffer);
        JsonSerializer.Serialize(_writer, _order, OrderJson.Default.Order);
        return _buffer.WrittenCount;
    }

    public void Write(Span<byte> destination) => _buffer.WrittenSpan.CopyTo(destination);

    public long Read(ReadOnlySpan<byte> message, bool hasAllFields)
    {
        var order = JsonSerializer.Deserialize(message, OrderJson.Default.Order)!;
        if (hasAllFields)
        {
            Sum += order.ClientOrderId![^1] + order.Symbol![^1] + order.Account![^1] + order.Venue![^1] + order.Currency![^1]
                + (int)order.Side + (int)order.Kind + order.Quantity + order.Filled + order.Price + order.StopPrice + order.Leverage
                + order.CreatedAt + order.ExpiresAt + order.Sequence + order.Strategy + order.Desk
                + (order.PostOnly ? 1 : 0) + (order.ReduceOnly ? 1 : 0);
        }

        return order.Id;
    }

    public void Dispose() => _writer.Dispose();
}
