namespace BufferedMessages.Runtime.Tests.Wire;

public class WriteTests
{
    private const byte Untouched = 0xEE;

    // Attributes hold text as UTF-8, so the surrogate comes as a number.
    [Theory]
    [InlineData("", 0xD800, "")]
    [InlineData("", 0xDC00, "")]
    [InlineData("short", 0xD83D, "")]
    [InlineData("", 0xDE00, "\uFFFD")]
    [InlineData("a text that is too long for its slot ", 0xD83D, " and goes on")]
    [InlineData("a text that is too long for its slot and ends with half a character ", 0xD83D, "")]
    public void A_surrogate_without_its_partner_is_refused(string before, int surrogate, string after)
    {
        var source = new Person { Name = before + (char)surrogate + after };
        var destination = new byte[source.CalculateSize()];
        var refused = Assert.Throws<ArgumentException>(() => source.Write(destination));
        Assert.Contains("surrogate", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_surrogate_without_its_partner_is_refused_in_a_list()
    {
        var source = new SlotLists { Texts = ["fine", "\uD800"] };
        Assert.Throws<ArgumentException>(() => source.ToMessageArray());
    }

    [Fact]
    public void A_source_that_grew_since_its_size_was_calculated_is_refused()
    {
        var source = new MessageLists { All = [new Inner { Text = "a text of some length" }] };
        var size = source.CalculateSize();
        source.All.Add(new Inner { Text = "another text of some length" });
        AssertWritesNothingBehind(source, size);
    }

    [Fact]
    public void A_string_that_grew_since_its_size_was_calculated_is_refused()
    {
        var source = new Person { Name = "a text of some length" };
        var size = source.CalculateSize();
        source.Name += " that got longer";
        AssertWritesNothingBehind(source, size);
    }

    [Fact]
    public void A_source_that_shrank_gives_a_shorter_message()
    {
        var source = new Person { Name = "a text of some length" };
        var destination = new byte[source.CalculateSize()];
        source.Name = "short";
        Assert.Equal(source.CalculateSize(), source.Write(destination));
    }

    [Fact]
    public void Every_destination_that_is_too_small_is_refused()
    {
        var source = new MessageLists
        {
            All = [new Inner { Text = "a text of some length" }, new Inner()],
            Some = [null, new Inner { Text = "short" }],
            Grid = [[new Inner { Text = "a text of some length" }]],
        };
        for (var length = 0; length < source.CalculateSize(); length++)
        {
            AssertWritesNothingBehind(source, length);
        }
    }

    [Fact]
    public void A_misaligned_destination_gets_the_same_bytes()
    {
        var source = new Outer { A = 1, Child = new Inner { Text = "a text of some length", Number = 2 } };
        var expected = source.ToMessageArray();
        for (var shift = 1; shift < 8; shift++)
        {
            var buffer = new byte[expected.Length + shift];
            source.Write(buffer.AsSpan(shift));
            Assert.Equal(expected, buffer[shift..]);
            Assert.Equal(2, new OuterBufferedMessage(buffer.AsSpan(shift)).Child.Number);
        }
    }

    private static void AssertWritesNothingBehind<TSource>(TSource source, int length)
        where TSource : IBufferedMessageSource<TSource>
    {
        var buffer = new byte[length + 256];
        buffer.AsSpan().Fill(Untouched);
        Assert.Throws<ArgumentException>(() => source.Write(buffer.AsSpan(0, length)));
        Assert.True(buffer.AsSpan(length).IndexOfAnyExcept(Untouched) < 0);
    }
}
