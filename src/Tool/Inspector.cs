using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Invocation;
using System.CommandLine.Parsing;

namespace BufferedMessages.Tool;

/// <summary>The program: it parses the command line and runs one command.</summary>
internal static class Inspector
{
    private const string Description = "Looks into queues, caches and message files, without the assembly that wrote them. Looking changes nothing.";

    /// <summary>Runs the command of a command line.</summary>
    /// <returns>The exit code.</returns>
    public static async Task<int> RunAsync(IReadOnlyList<string> arguments, ToolConsole console, CancellationToken token)
    {
        var parsed = CreateRoot().Parse(arguments, new ParserConfiguration { ResponseFileTokenReplacer = null });
        return (int)await Failures.GuardAsync(console, Run, token).ConfigureAwait(false);

        async Task<ExitCode> Run()
        {
            var faults = FaultsOf(parsed, arguments);
            return faults.Count == 0
                ? (ExitCode)await parsed.InvokeAsync(new ToolInvocation(console), token).ConfigureAwait(false)
                : throw new ToolException(string.Join('\n', [.. faults.Select(TerminalText.Escape), $"Try: {CommandPathOf(parsed)} --help"]));
        }
    }

    private static RootCommand CreateRoot()
    {
        var root = new RootCommand(Description);
        CommonOptions.AddTo(root);
        foreach (var command in CommandList.Create())
        {
            root.Subcommands.Add(command);
        }

        var help = root.Options.OfType<HelpOption>().Single();
        help.Action = new HelpWithExamples((HelpAction)help.Action!);
        return root;
    }

    // The parser takes an option that it does not know for an argument.
    private static IReadOnlyList<string> FaultsOf(ParseResult parsed, IReadOnlyList<string> arguments)
    {
        if (parsed.Action is ParseErrorAction)
        {
            return [.. parsed.Errors.Select(static error => error.Message)];
        }

        return arguments.Contains("--", StringComparer.Ordinal)
            ? []
            : [.. from argument in parsed.CommandResult.Children.OfType<ArgumentResult>()
                  from token in argument.Tokens
                  where token.Value is ['-', '-', ..] || (token.Value is ['-', var letter, ..] && char.IsAsciiLetter(letter))
                  select $"Unknown option '{token.Value}'."];
    }

    private static string CommandPathOf(ParseResult parsed)
    {
        var names = new Stack<string>();
        for (var result = parsed.CommandResult; result is { Command: not RootCommand }; result = result.Parent as CommandResult)
        {
            names.Push(result.Command.Name);
        }

        return string.Join(' ', names.Prepend("bufferedmessages"));
    }
}
