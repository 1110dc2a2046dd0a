using System.Text;

namespace BufferedMessages.Runtime.Tests.Wire;

/// <summary>Short texts are packed, longer ones go through vectors of several widths, long ones through the framework: each length gives the framework's bytes.</summary>
public class TextLengthTests
{
    private const int Longest = 300;

    [Theory]
    [InlineData('\u007F')]
    [InlineData('\u0080')]
    [InlineData('ü')]
    [InlineData('\u4E00')]
    [InlineData('\uFF7F')]
    public void A_text_of_every_length_with_a_letter_in_every_place_is_stored_as_its_UTF8_bytes(char letter)
    {
        for (var length = 0; length <= Longest; length++)
        {
            AssertStored(new string('a', length));

            // Long texts: a letter in the first and last places, which is where vectors overlap.
            for (var place = 0; place < length; place += length <= 40 || place < 20 || place > length - 20 ? 1 : 7)
            {
                AssertStored(new string('a', place) + letter + new string('b', length - place - 1));
            }
        }
    }

    [Fact]
    public void A_surrogate_without_its_partner_is_refused_in_every_place_of_a_short_text()
    {
        var destination = new byte[128];
        for (var length = 1; length <= 20; length++)
        {
            for (var place = 0; place < length; place++)
            {
                var text = new Texts { Seven = new string('a', place) + '\uD83D' + new string('b', length - place - 1) };
                Assert.Throws<ArgumentException>(() => text.Write(destination));
            }
        }
    }

    private static void AssertStored(string text)
    {
        var source = new Texts { Seven = text };
        var message = source.ToMessageArray();
        var expected = Encoding.UTF8.GetBytes(text);
        if (!new TextsBufferedMessage(message).Seven.Utf8.SequenceEqual(expected) || !BufferedMessage.Verify<TextsBufferedMessage>(message, out _))
        {
            Assert.Fail($"{text.Length} characters, \"{text}\".");
        }
    }
}
