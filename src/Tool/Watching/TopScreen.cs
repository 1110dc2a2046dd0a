using System.Globalization;
using System.Text;
using Spectre.Console;
using Spectre.Console.Rendering;

namespace BufferedMessages.Tool;

/// <summary>The whole terminal, which is as it was before when this object is disposed. Serves one thread at a time.</summary>
internal sealed class TopScreen : IDisposable
{
    // The other screen; no cursor; lines that are too long are cut off.
    private const string Begin = "\e[?1049h\e[?25l\e[?7l";
    private const string End = "\e[?7h\e[?25h\e[?1049l";
    private const string FirstPlace = "\e[H";
    private const string EndOfLine = "\e[K";
    private const string EndOfScreen = "\e[J";

    // The terminal cuts lines off, so they are never wrapped here.
    private const int LineWidth = 10_000;

    private readonly Call _call;
    private bool _isDisposed;

    /// <summary>Takes the terminal.</summary>
    public TopScreen(Call call)
    {
        _call = call;
        Write(Begin);
    }

    /// <summary>Gets the size of the terminal now.</summary>
    public (int Width, int Height) Size => (_call.Console.Width, _call.Console.Height);

    /// <summary>Draws the screen anew, in one write.</summary>
    /// <param name="content">The content. Texts in it are escaped.</param>
    public void Draw(IRenderable content)
    {
        using var text = new StringWriter(CultureInfo.InvariantCulture);
        var console = AnsiConsole.Create(new AnsiConsoleSettings
        {
            Out = new AnsiConsoleOutput(text),
            Ansi = AnsiSupport.Yes,
            ColorSystem = _call.Palette.HasColors ? ColorSystemSupport.Standard : ColorSystemSupport.NoColors,
            Interactive = InteractionSupport.No,
        });
        console.Profile.Width = LineWidth;
        console.Write(content);

        var frame = new StringBuilder(FirstPlace);
        var lines = text.ToString().ReplaceLineEndings("\n").TrimEnd('\n').Split('\n');
        frame.AppendJoin(EndOfLine + "\r\n", lines.Take(Size.Height).Select(static line => line.TrimEnd(' ')));
        Write(frame.Append(EndOfLine).Append(EndOfScreen).ToString());
    }

    public void Dispose()
    {
        if (!_isDisposed)
        {
            _isDisposed = true;
            Write(End);
        }
    }

    private void Write(string text)
    {
        _call.Out.Write(text);
        _call.Out.Flush();
    }
}
