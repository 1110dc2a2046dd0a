using System.Text;

namespace BufferedMessages.Runtime.Tests.Converters;

/// <summary>Stored values that a converter refuses: one exception, which names the member and the place.</summary>
public class RefusedValueTests
{
    // A surrogate is not a rune, and this text is not an address.
    private static readonly byte[] Hostile = new PlainShop { Site = "not an address", Symbol = 0xD800, Mark = -1, Price = "?", Fee = 1 }.ToMessageArray();

    [Fact]
    public void A_refused_value_is_a_malformed_message_that_names_the_member()
    {
        AssertRefused("Site", static () => new ShopBufferedMessage(Hostile).Site, typeof(UriFormatException));
        AssertRefused("Symbol", static () => new ShopBufferedMessage(Hostile).Symbol, typeof(ArgumentOutOfRangeException));
        AssertRefused("Mark", static () => new ShopBufferedMessage(Hostile).Mark, typeof(ArgumentOutOfRangeException));
        AssertRefused("Price", static () => new ShopBufferedMessage(Hostile).Price, typeof(FormatException));
        AssertRefused("Site", static () => new ShopBufferedMessage(Hostile).ToShop(), typeof(UriFormatException));
    }

    [Fact]
    public void The_other_members_can_be_read() => Assert.Equal(0.01m, new ShopBufferedMessage(Hostile).Fee.Amount);

    [Fact]
    public void Verification_and_text_do_not_call_converters()
    {
        Assert.True(BufferedMessage.Verify<ShopBufferedMessage>(Hostile, out _, exact: true));
        Assert.Contains("not an address", new ShopBufferedMessage(Hostile).ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void A_refused_element_is_named_by_its_index()
    {
        var bytes = new PlainLists { Links = ["urn:1", "no"], Symbols = [65, 0x110000] }.ToMessageArray();

        AssertRefused("Links[1]", () => new ListsBufferedMessage(bytes).Links[1], typeof(UriFormatException));
        AssertRefused("Symbols[1]", () => Last(new ListsBufferedMessage(bytes)), typeof(ArgumentOutOfRangeException));
        AssertRefused("Links", () => new ListsBufferedMessage(bytes).ToLists(), typeof(UriFormatException));
        Assert.Equal("[65, 1114112]", new ListsBufferedMessage(bytes).Symbols.ToString());

        static Rune Last(ListsBufferedMessage view)
        {
            var last = default(Rune);
            foreach (var symbol in view.Symbols)
            {
                last = symbol;
            }

            return last;
        }
    }

    [Fact]
    public void Refused_keys_and_values_are_named()
    {
        var values = new PlainMaps { Prices = new() { ["a"] = "" } }.ToMessageArray();
        var keys = new PlainMaps { Visits = new() { ["no"] = 1 } }.ToMessageArray();

        AssertRefused("Prices.Values[0]", () => new MapsBufferedMessage(values).Prices["a"], typeof(FormatException));
        AssertRefused("Visits.Keys[0]", () => new MapsBufferedMessage(keys).ToMaps(), typeof(UriFormatException));
    }

    [Fact]
    public void A_member_that_the_writer_did_not_know_reads_as_zero_or_null()
    {
        var view = new ShopBufferedMessage(new OldShop { Site = "urn:1" }.ToMessageArray());

        Assert.Equal("urn:1", view.Site!.OriginalString);
        Assert.Equal(default, view.Symbol);
        Assert.Null(view.Mark);
        Assert.Null(view.Version);
        Assert.Equal(default, view.Price);
        Assert.Equal(0, view.Fee.Amount);
    }

    [Fact]
    public void Damaged_bytes_never_cause_another_exception()
    {
        var bytes = new Shop { Site = new Uri("https://example.org/"), Symbol = new Rune('a'), Total = 5, Price = new Money(1, '$'), Version = new Version(1, 1) }.ToMessageArray();
        var random = new Random(1);
        for (var round = 0; round < 20_000; round++)
        {
            var damaged = bytes.ToArray();
            for (var i = random.Next(1, 4); i > 0; i--)
            {
                damaged[random.Next(damaged.Length)] = (byte)random.Next(256);
            }

            try
            {
                new ShopBufferedMessage(damaged).ToShop();
            }
            catch (MalformedMessageException)
            {
                // The one exception that is expected.
            }
        }
    }

    private static void AssertRefused<T>(string member, Func<T> read, Type cause)
    {
        var exception = Assert.Throws<MalformedMessageException>(() => _ = read());
        Assert.Contains($"the converter of {member}", exception.Rule, StringComparison.Ordinal);
        Assert.IsType(cause, exception.InnerException);
    }
}
