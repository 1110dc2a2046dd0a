using System.Buffers;
using System.Net;
using System.Numerics;
using System.Text;
using System.Text.Json;

namespace BufferedMessages.Runtime.Tests.Converters;

/// <summary>Members of types that converters turn into kinds: what is written is the kind, what is read is the type.</summary>
public class ConverterTests
{
    private static readonly Uri Site = new("https://example.org/a?b=ü");
    private static readonly BigInteger Large = BigInteger.Pow(7, 60);

    private static readonly Shop Full = new()
    {
        Site = Site,
        Symbol = new Rune(0x1F600),
        Mark = new Rune('!'),
        Version = new Version(3, 14),
        Total = Large,
        Most = -Large,
        Price = new Money(12.50m, '$'),
        Discount = new Money(-1m, 'F'),
        Fee = new Money(0.75m, '$'),
        Range = new Range2(7, 300),
    };

    [Fact]
    public void A_view_gives_the_users_types()
    {
        var view = new ShopBufferedMessage(Full.ToMessageArray());

        Assert.Equal(Full.Site, view.Site);
        Assert.Equal(Full.Symbol, view.Symbol);
        Assert.Equal(Full.Mark, view.Mark);
        Assert.Equal(Full.Version, view.Version);
        Assert.Equal(Full.Total, view.Total);
        Assert.Equal(Full.Most, view.Most);
        Assert.Equal(Full.Price, view.Price);
        Assert.Equal(Full.Discount, view.Discount);
        Assert.Equal(Full.Fee, view.Fee);
        Assert.Equal(Full.Range, view.Range);
    }

    [Fact]
    public void A_copy_has_the_same_values()
    {
        var copy = new ShopBufferedMessage(Full.ToMessageArray()).ToShop();

        Assert.Equal(Full.Site, copy.Site);
        Assert.Equal((Full.Symbol, Full.Mark, Full.Version), (copy.Symbol, copy.Mark, copy.Version));
        Assert.Equal((Full.Total, Full.Most), (copy.Total, copy.Most));
        Assert.Equal((Full.Price, Full.Discount, Full.Fee, Full.Range), (copy.Price, copy.Discount, copy.Fee, copy.Range));
    }

    [Fact]
    public void The_bytes_are_those_of_the_kinds()
    {
        var plain = new PlainShop
        {
            Site = Site.OriginalString,
            Symbol = 0x1F600,
            Mark = '!',
            Version = (3L << 32) | 14,
            Total = Large.ToByteArray(),
            Most = (-Large).ToByteArray(),
            Price = "$12.50",
            Discount = "F-1",
            Fee = 75,
            Range = new Span2(7, 300),
        };

        Assert.Equal(plain.ToMessageArray(), Full.ToMessageArray());
        Assert.Equal(Full.CalculateSize(), plain.CalculateSize());
        Assert.Equal(Kinds(PlainShopBufferedMessageSchema()), Kinds(ShopSchema()));
    }

    [Fact]
    public void A_null_beside_a_memory_stays_a_null()
    {
        var full = new Memories { Host = IPAddress.Loopback, Peers = [IPAddress.IPv6Any, null], Total = 1, Most = Large };
        var empty = new Memories { Total = 1 };

        var copy = new MemoriesBufferedMessage(full.ToMessageArray()).ToMemories();
        var view = new MemoriesBufferedMessage(empty.ToMessageArray());

        Assert.Equal((full.Host, full.Most), (copy.Host, copy.Most));
        Assert.Equal(full.Peers, copy.Peers);
        Assert.Null(view.Host);
        Assert.Null(view.Most);
        Assert.Equal((null, null), (view.ToMemories().Host, view.ToMemories().Most));
    }

    [Fact]
    public void Nulls_are_stored_as_nulls_and_never_reach_the_converter()
    {
        var empty = new Shop { Symbol = new Rune('a') };
        var bytes = empty.ToMessageArray();

        Assert.True(BufferedMessage.Verify<ShopBufferedMessage>(bytes, out _, exact: true));
        var view = new ShopBufferedMessage(bytes);
        Assert.Null(view.Site);
        Assert.Null(view.Mark);
        Assert.Null(view.Version);
        Assert.Null(view.Most);
        Assert.Null(view.Discount);
        Assert.Null(new PlainShopBufferedMessage(bytes).ToPlainShop().Discount);
        Assert.Null(view.ToShop().Site);
    }

    [Fact]
    public void Json_and_text_are_those_of_the_kinds()
    {
        var view = new ShopBufferedMessage(Full.ToMessageArray());

        using var json = JsonDocument.Parse(JsonOf(view));
        Assert.Equal(Site.OriginalString, json.RootElement.GetProperty("Site").GetString());
        Assert.Equal(0x1F600, json.RootElement.GetProperty("Symbol").GetInt32());
        Assert.StartsWith("{\"Site\":", view.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Required_and_initialized_members_are_restored()
    {
        var copy = new RequiredBufferedMessage(new Required { Site = Site, Home = null!, Price = new Money(5, 'y') }.ToMessageArray()).ToRequired();

        Assert.Equal(Site, copy.Site);
        Assert.Equal("https://home.example/", copy.Home.OriginalString);
        Assert.Equal(new Money(5, 'y'), copy.Price);
    }

    [Fact]
    public void Parameters_of_constructors_are_restored()
    {
        var record = new Positional(Site, new Money(2, 'z'));

        Assert.Equal(record, new PositionalBufferedMessage(record.ToMessageArray()).ToPositional());
    }

    [Fact]
    public void A_writer_takes_and_gives_the_users_types()
    {
        var bytes = new byte[512];
        using (var message = new MessageBuilder<WrittenBufferedMessageWriter>(bytes))
        {
            var writer = message.Message;
            writer.Symbol = new Rune('x');
            writer.Version = new Version(1, 2);
            Assert.Equal(new Rune('x'), writer.Symbol);
            Assert.Equal(new Version(1, 2), writer.Version);
            writer.Version = null;
            Assert.Null(writer.Version);
            writer.WriteSite(Site);
            writer.WritePrice(new Money(3, '$'));
            writer.WriteTotal(Large);
            writer.WriteLinks([Site]);
            message.Finish();
        }

        Assert.True(BufferedMessage.Verify<WrittenBufferedMessage>(bytes, out var error, exact: true), error.ToString());
        var view = new WrittenBufferedMessage(bytes);
        Assert.Equal((new Rune('x'), Site, new Money(3, '$'), Large), (view.Symbol, view.Site, view.Price, view.Total));
        Assert.Equal(Site, view.Links[0]);
    }

    [Fact]
    public void Reading_values_by_a_converter_allocates_nothing()
    {
        var bytes = new Shop { Symbol = new Rune('a'), Total = 5, Price = new Money(1, '$'), Fee = new Money(2, '$') }.ToMessageArray();
        for (var i = 0; i < 300; i++)
        {
            Read(bytes);
        }

        Allocations.AssertNone(() => Read(bytes));

        static void Read(byte[] bytes)
        {
            var view = new ShopBufferedMessage(bytes);
            if (view.Symbol.Value != 'a' || !view.Total.Equals(5) || view.Price.Amount != 1 || view.Fee.Amount != 2 || view.Discount is not null)
            {
                throw new InvalidOperationException("The message has other values.");
            }
        }
    }

    private static MessageSchema ShopSchema() => SchemaOf<ShopBufferedMessage>();

    private static MessageSchema PlainShopBufferedMessageSchema() => SchemaOf<PlainShopBufferedMessage>();

    private static MessageSchema SchemaOf<TView>()
        where TView : IBufferedMessage<TView>, allows ref struct => TView.Schema;

    private static IEnumerable<string> Kinds(MessageSchema schema) => schema.Text.Split('\n').Skip(1);

    private static string JsonOf<TView>(TView view)
        where TView : IBufferedMessage<TView>, allows ref struct
    {
        var text = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(text))
        {
            view.WriteJson(json);
        }

        return Encoding.UTF8.GetString(text.WrittenSpan);
    }
}
