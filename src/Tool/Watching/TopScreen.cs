using System.Globalization;
using System.Runtime.InteropServices;
using System.Text;
using Spectre.Console;
using Spectre.Console.Rendering;

namespace BufferedMessages.Tool;

/// <summary>The whole terminal. It is restored when this object is disposed, and while Ctrl-Z stops the program. Serves one thread at a time.</summary>
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
    private readonly Lock _lock = new();
    private readonly PosixSignalRegistration? _stop;
    private bool _isLeft = true;
    private bool _isDisposed;

    /// <summary>Takes the terminal.</summary>
    public TopScreen(Call call)
    {
        _call = call;
        _stop = OperatingSystem.IsWindows() ? null : PosixSignalRegistration.Create(PosixSignal.SIGTSTP, _ => Leave());
        Enter();
    }

    /// <summary>Gets whether the program was stopped since the screen was drawn.</summary>
    public bool IsLeft => Volatile.Read(ref _isLeft);

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
        Enter();
        Write(frame.Append(EndOfLine).Append(EndOfScreen).ToString());
    }

    public void Dispose()
    {
        if (!_isDisposed)
        {
            _isDisposed = true;
            _stop?.Dispose();
            Leave();
        }
    }

    private void Enter()
    {
        lock (_lock)
        {
            if (_isLeft)
            {
                _isLeft = false;
                Write(Begin);
            }
        }
    }

    // The runtime calls it on a thread of its own before it stops the program.
    private void Leave()
    {
        lock (_lock)
        {
            if (!_isLeft)
            {
                Write(End);
                _isLeft = true;
            }
        }
    }

    private void Write(string text)
    {
        lock (_lock)
        {
            _call.Out.Write(text);
            _call.Out.Flush();
        }
    }
}
