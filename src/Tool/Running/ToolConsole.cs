using Microsoft.Win32.SafeHandles;

namespace BufferedMessages.Tool;

/// <summary>The standard streams of the tool, and the facts about the terminal. Tests make one of memory.</summary>
internal sealed class ToolConsole : IDisposable
{
    private const int OutputHandle = 1;
    private const int ErrorHandle = 2;
    private const int DefaultWidth = 80;
    private const int DefaultHeight = 24;

    public ToolConsole(Stream output, Stream error, TextReader input, bool isTerminal, bool hasColors)
        : this(new Utf8Output(output, isTerminal), new Utf8Output(error, flushLines: true), input, isTerminal, isTerminal, hasColors)
    {
    }

    private ToolConsole(Utf8Output output, Utf8Output error, TextReader input, bool isTerminal, bool hasCursor, bool hasColors)
    {
        Out = output;
        Error = error;
        In = input;
        IsTerminal = isTerminal;
        HasCursor = hasCursor;
        HasColors = hasColors;
    }

    /// <summary>Gets the standard output.</summary>
    public Utf8Output Out { get; }

    /// <summary>Gets the standard error.</summary>
    public Utf8Output Error { get; }

    /// <summary>Gets the standard input.</summary>
    public TextReader In { get; }

    /// <summary>Gets whether a person reads the output now.</summary>
    public bool IsTerminal { get; }

    /// <summary>Gets whether the output is a terminal whose cursor can be moved, so that lines are drawn again in their place.</summary>
    public bool HasCursor { get; }

    /// <summary>Gets whether the output may have colors, if the command line does not forbid them.</summary>
    public bool HasColors { get; }

    /// <summary>Gets the number of columns.</summary>
    public int Width => IsTerminal && !Console.IsOutputRedirected && Console.WindowWidth > 0 ? Console.WindowWidth : DefaultWidth;

    /// <summary>Gets the number of lines.</summary>
    public int Height => IsTerminal && !Console.IsOutputRedirected && Console.WindowHeight > 0 ? Console.WindowHeight : DefaultHeight;

    // Whether the output is that of the process, and not of a test or a file.
    private bool IsOfProcess { get; init; }

    /// <summary>Gets the console of this process.</summary>
    public static ToolConsole OfProcess()
    {
        var isTerminal = !Console.IsOutputRedirected;
        var hasCursor = isTerminal && Environment.GetEnvironmentVariable("TERM") is not "dumb";
        var output = new Utf8Output(Open(OutputHandle, Console.OpenStandardOutput), isTerminal);
        var error = new Utf8Output(Open(ErrorHandle, Console.OpenStandardError), flushLines: true);
        return new ToolConsole(output, error, Console.In, isTerminal, hasCursor, hasCursor && MayColor()) { IsOfProcess = true };
    }

    /// <summary>Makes a console without input, whose output is dropped.</summary>
    public static ToolConsole Silent() => new(Stream.Null, Stream.Null, TextReader.Null, isTerminal: false, hasColors: false);

    /// <summary>Makes a console with another output, which is not a terminal.</summary>
    public ToolConsole With(Utf8Output output) => new(output, Error, In, isTerminal: false, hasCursor: false, hasColors: false);

    /// <summary>Looks whether the program that reads the output is still there, for a command that has nothing to write for a while.</summary>
    /// <exception cref="OutputClosedException">It has ended.</exception>
    public void RequireReader()
    {
        if (IsOfProcess && PipeReader.IsGone(OutputHandle))
        {
            throw new OutputClosedException();
        }
    }

    public void Dispose()
    {
        Out.Dispose();
        Error.Dispose();
        In.Dispose();
    }

    // The console's own stream swallows the end of a pipe; a command must notice that its reader is gone. A file stream counts from its own beginning,
    // so it would write over the output of the program before, when both write to one file.
    private static Stream Open(int handle, Func<Stream> openConsole)
    {
        if (OperatingSystem.IsWindows())
        {
            return openConsole();
        }

        var stream = new FileStream(new SafeFileHandle(handle, ownsHandle: false), FileAccess.Write, bufferSize: 0);
        return stream.CanSeek ? openConsole() : stream;
    }

    // https://no-color.org: set and not empty.
    private static bool MayColor() => string.IsNullOrEmpty(Environment.GetEnvironmentVariable("NO_COLOR"));
}
