using System.Globalization;

namespace BufferedMessages.Tool.Tests;

/// <summary>Texts whose letters take two columns of a terminal, or none.</summary>
public class TextWidthTests
{
    [Fact]
    public void The_columns_of_a_table_are_those_of_the_terminal()
    {
        var table = new TextTable("NAME", "MESSAGES>");
        table.Add("cafe\u0301", "1");
        table.Add("注文", "12");
        table.Add("\U0001F4E6", "3");
        using var output = new StringWriter(CultureInfo.InvariantCulture);

        table.Write(output, new Palette(hasColors: false));

        Assert.Equal("NAME  MESSAGES\ncafe\u0301         1\n注文        12\n\U0001F4E6           3\n", output.ToString());
    }

    [Theory]
    [InlineData("orders", 6, "orders")]
    [InlineData("orders", 5, "orde…")]
    [InlineData("注文", 4, "注文")]
    [InlineData("注文注文", 6, "注文…")]
    [InlineData("a\U0001F4E6b", 3, "a…")]
    public void A_text_is_cut_off_between_two_letters_and_fits_into_the_columns(string text, int width, string shown) => Assert.Equal(shown, TopText.Clip(text, width));

    [Fact]
    public void A_fault_is_marked_below_its_place() =>
        Assert.Equal("注文 = 5\n     ^\nWrite it.", ExpressionFault.At("注文 = 5", 3, "Write it.").Message);
}
