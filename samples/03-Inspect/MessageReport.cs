using System.Buffers.Binary;
using System.Globalization;
using System.Text;
using BufferedMessages;

namespace Shop;

/// <summary>Prints a message: its schema, its bytes, and what the view reads from them.</summary>
internal static class MessageReport
{
    private const int HeaderBytes = 8;
    private const int WordBytes = 8;

    public static void Print(Order order)
    {
        PrintSchema<Order>();
        var message = order.ToMessageArray();
        PrintBytes(message);
        PrintMembers(BufferedMessage.Create<OrderBufferedMessage>(message));
    }

    private static void PrintSchema<TSource>()
        where TSource : IBufferedMessageSource<TSource>
    {
        Print($"Schema, fingerprint {TSource.Schema.Fingerprint:x16}");
        Print($"{TSource.Schema.Text}");
    }

    private static void PrintBytes(ReadOnlySpan<byte> message)
    {
        var blockBytes = BinaryPrimitives.ReadUInt16LittleEndian(message) * WordBytes;
        Print($"Message of {message.Length} bytes; the offsets in the root block are those of Generated/*.g.cs");
        Print($"message  block");
        for (var offset = 0; offset < message.Length; offset += WordBytes)
        {
            var word = message.Slice(offset, WordBytes);
            var inBlock = offset >= HeaderBytes && offset < HeaderBytes + blockBytes;
            Print($"{offset,7}  {(inBlock ? offset - HeaderBytes : null),5}  {Hex(word)}  {Characters(word)}{Meaning(message, offset, blockBytes)}");
        }

        Print($"");
    }

    private static string Meaning(ReadOnlySpan<byte> message, int offset, int blockBytes) => offset switch
    {
        0 => string.Create(
            CultureInfo.InvariantCulture,
            $"  header: block of {blockBytes / WordBytes} words, version {message[2]}, flags {message[3]}, {BinaryPrimitives.ReadUInt32LittleEndian(message[4..])} bytes"),
        HeaderBytes => "  root block",
        _ when offset == HeaderBytes + blockBytes => "  payloads",
        _ => "",
    };

    private static void PrintMembers(OrderBufferedMessage order)
    {
        Print($"Members, read in place");
        Print($"  Id     {order.Id}");
        Print($"  Note   {order.Note}");
        foreach (var line in order.Lines)
        {
            Print($"  Lines  {line.Quantity} x {line.Article}, price {line.Price?.ToString(CultureInfo.InvariantCulture) ?? "null"}");
        }
    }

    private static string Hex(ReadOnlySpan<byte> word)
    {
        var text = new StringBuilder();
        foreach (var value in word)
        {
            text.Append(CultureInfo.InvariantCulture, $"{value:x2} ");
        }

        return text.ToString(0, text.Length - 1);
    }

    private static string Characters(ReadOnlySpan<byte> word)
    {
        var text = new StringBuilder();
        foreach (var value in word)
        {
            text.Append(value is >= 0x20 and < 0x7f ? (char)value : '.');
        }

        return text.ToString();
    }

    private static void Print(FormattableString text) => Console.WriteLine(text.ToString(CultureInfo.InvariantCulture));
}
