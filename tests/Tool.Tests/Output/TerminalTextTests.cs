namespace BufferedMessages.Tool.Tests;

public class TerminalTextTests
{
    [Theory]
    [InlineData("a\u001b[2J", @"a\u001B[2J")]
    [InlineData("a\u202e\u200b\u2028", @"a\u202E\u200B\u2028")]
    [InlineData("a\U000E0041b", @"a\uDB40\uDC41b")]
    [InlineData("注文 \U0001F4E6 cafe\u0301", "注文 \U0001F4E6 cafe\u0301")]
    public void Characters_that_command_a_terminal_or_hide_text_are_escaped(string text, string shown) => Assert.Equal(shown, TerminalText.Escape(text));
}
