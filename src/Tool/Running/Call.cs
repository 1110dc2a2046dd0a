using System.CommandLine;

namespace BufferedMessages.Tool;

/// <summary>One run of a command: its arguments, and where it writes. Serves one thread at a time.</summary>
internal sealed class Call : IDisposable
{
    private readonly ParseResult _arguments;
    private readonly List<IDisposable> _opened = [];
    private JsonLines? _json;

    public Call(ParseResult arguments, ToolConsole console, CancellationToken token)
    {
        _arguments = arguments;
        Console = console;
        Token = token;
        IsJson = CommonOptions.IsJson(arguments);
        Palette = new Palette(console.HasColors && !CommonOptions.IsColorless(arguments) && !IsJson);
    }

    /// <summary>Gets the console.</summary>
    public ToolConsole Console { get; }

    /// <summary>Gets the token that Ctrl-C cancels.</summary>
    public CancellationToken Token { get; }

    /// <summary>Gets whether a program reads the output.</summary>
    public bool IsJson { get; }

    /// <summary>Gets the colors.</summary>
    public Palette Palette { get; }

    /// <summary>Gets the standard output.</summary>
    public Utf8Output Out => Console.Out;

    /// <summary>Gets the writer of JSON.</summary>
    public JsonLines Json => _json ??= new JsonLines(Out);

    /// <summary>Gets the value of an argument.</summary>
    public T Value<T>(Argument<T> argument) => _arguments.GetValue(argument)!;

    /// <summary>Gets the value of an option; the default of the type if it is not there.</summary>
    public T Value<T>(Option<T> option) => _arguments.GetValue(option)!;

    /// <summary>Writes a line for people. Parts of it that others wrote are escaped already.</summary>
    public void WriteLine(string line)
    {
        Out.Write(line);
        Out.Write('\n');
    }

    /// <summary>Writes a remark to the standard error, where it does not disturb a program that reads the output. It is escaped here.</summary>
    public void Remark(string text)
    {
        try
        {
            Out.Flush();
        }
        catch (OutputClosedException)
        {
            // A command that has more to write ends there. One at its end keeps its exit code.
        }

        try
        {
            Console.Error.Write(TerminalText.Escape(text) + "\n");
        }
        catch (OutputClosedException)
        {
            // The reader of the remarks is gone. The command goes on: an import that ended here would be half done.
        }
    }

    /// <summary>Makes a call that writes to a new file, and writes its remarks where this one does.</summary>
    /// <exception cref="ToolException">The file already exists.</exception>
    public Call To(string file)
    {
        if (File.Exists(file))
        {
            throw new ToolException($"The file '{file}' already exists. Delete it, or give another name.");
        }

        var output = new Utf8Output(new FileStream(file, FileMode.CreateNew, FileAccess.Write, FileShare.Read, bufferSize: 0), flushLines: false);
        return new Call(_arguments, Console.With(output), Token) { _opened = { output } };
    }

    /// <summary>Makes a call of this command that writes elsewhere, and ends with another token.</summary>
    public Call For(ToolConsole console, CancellationToken token) => new(_arguments, console, token);

    /// <summary>Runs another command of the program.</summary>
    /// <param name="arguments">Its command line, without the program.</param>
    /// <param name="console">Where it writes.</param>
    /// <param name="token">Ends it.</param>
    /// <returns>Its exit code.</returns>
    public async Task<int> RunAsync(IReadOnlyList<string> arguments, ToolConsole console, CancellationToken token)
    {
        var parsed = _arguments.RootCommandResult.Command.Parse(arguments, new ParserConfiguration { ResponseFileTokenReplacer = null });
        if (parsed.Errors.Count > 0)
        {
            console.Error.Write(TerminalText.Escape(parsed.Errors[0].Message) + "\n");
            console.Error.Flush();
            return (int)ExitCode.Unanswered;
        }

        var code = await parsed.InvokeAsync(new ToolInvocation(console), token).ConfigureAwait(false);
        console.Error.Flush();
        return code;
    }

    public void Dispose()
    {
        _json?.Dispose();
        _opened.ForEach(static opened => opened.Dispose());
    }
}
