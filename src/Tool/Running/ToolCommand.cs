using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Invocation;

namespace BufferedMessages.Tool;

/// <summary>A command with examples in its help, whose failures end in an exit code and a line.</summary>
internal sealed class ToolCommand : Command
{
    private readonly string[] _examples;

    /// <param name="name">Its name.</param>
    /// <param name="description">A sentence.</param>
    /// <param name="examples">Command lines, each without the program's name.</param>
    public ToolCommand(string name, string description, params string[] examples)
        : base(name, description) => _examples = examples;

    /// <summary>Sets the body of the command.</summary>
    public void Run(Func<Call, ExitCode> body) => Run(call => Task.FromResult(body(call)));

    /// <summary>Sets the body of the command, which may wait.</summary>
    public void Run(Func<Call, Task<ExitCode>> body) => SetAction(async (arguments, token) =>
    {
        var console = ((ToolInvocation)arguments.InvocationConfiguration).Console;
        using var call = new Call(arguments, console, token);
        return (int)await Failures.GuardAsync(console, () => body(call), token).ConfigureAwait(false);
    });

    /// <summary>Writes the examples after the help.</summary>
    public void WriteExamples(TextWriter output)
    {
        if (_examples.Length == 0)
        {
            return;
        }

        output.Write(_examples.Length == 1 ? "Example:\n" : "Examples:\n");
        foreach (var example in _examples)
        {
            output.Write($"  bufferedmessages {example}\n");
        }

        output.Write('\n');
    }
}

/// <summary>The help of the parser, and then the examples of the command.</summary>
/// <param name="help">The help of the parser.</param>
internal sealed class HelpWithExamples(HelpAction help) : SynchronousCommandLineAction
{
    public override int Invoke(ParseResult parseResult)
    {
        var command = parseResult.CommandResult.Command;

        // A command below another one does not take the arguments of that one.
        foreach (var argument in command.Parents.OfType<Command>().SelectMany(static parent => parent.Arguments))
        {
            argument.Hidden = true;
        }

        help.Invoke(parseResult);
        (command as ToolCommand)?.WriteExamples(parseResult.InvocationConfiguration.Output);
        return (int)ExitCode.Fine;
    }
}

/// <summary>The console of one run of the program, as the parser passes it to the command.</summary>
internal sealed class ToolInvocation : InvocationConfiguration
{
    public ToolInvocation(ToolConsole console)
    {
        Console = console;
        Output = console.Out;
        Error = console.Error;
        EnableDefaultExceptionHandler = false;
        ProcessTerminationTimeout = null;
    }

    /// <summary>Gets the console.</summary>
    public ToolConsole Console { get; }
}
