using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Invocation;
using System.CommandLine.Parsing;

namespace BufferedMessages.Samples;

/// <summary>Runs a command line: help with examples, and one line for a mistake.</summary>
internal static class SampleCommand
{
    /// <summary>The exit code of a mistake that the user can mend.</summary>
    public const int Mistake = 2;

    /// <param name="command">The command, with its options and its action. The action handles Ctrl+C itself.</param>
    /// <param name="arguments">The command line.</param>
    /// <param name="examples">Command lines that the help shows.</param>
    /// <returns>The exit code.</returns>
    public static async Task<int> RunAsync(RootCommand command, string[] arguments, params string[] examples)
    {
        var help = command.Options.OfType<HelpOption>().Single();
        help.Action = new HelpWithExamples((HelpAction)help.Action!, examples);
        var parsed = command.Parse(arguments);
        if (parsed.Action is not HelpWithExamples && FaultOf(parsed) is { } fault)
        {
            await Console.Error.WriteLineAsync($"{fault} --help shows what is possible.");
            return Mistake;
        }

        return await parsed.InvokeAsync(new InvocationConfiguration { EnableDefaultExceptionHandler = false, ProcessTerminationTimeout = null });
    }

    /// <summary>A directory that must exist.</summary>
    /// <param name="description">What the help says.</param>
    /// <param name="fallback">The directory when the command line has none.</param>
    public static Argument<string> ExistingDirectory(string description, string fallback)
    {
        var argument = new Argument<string>("path") { Description = description, DefaultValueFactory = _ => fallback };
        argument.Validators.Add(static result =>
        {
            if (result.GetValueOrDefault<string>() is { } path && !Directory.Exists(path))
            {
                result.AddError($"The directory '{path}' does not exist.");
            }
        });
        return argument;
    }

    // The parser takes an option that it does not know for an argument, where there may be one.
    private static string? FaultOf(ParseResult parsed) =>
        parsed.CommandResult.Children.OfType<ArgumentResult>().SelectMany(static argument => argument.Tokens).Select(static token => token.Value)
            .Concat(parsed.RootCommandResult.Command.TreatUnmatchedTokensAsErrors ? parsed.UnmatchedTokens : [])
            .FirstOrDefault(static word => word.StartsWith("--", StringComparison.Ordinal)) is { } option
            ? $"Unknown option '{option}'."
            : parsed.Errors.Select(static error => error.Message).FirstOrDefault();

    private sealed class HelpWithExamples(HelpAction help, string[] examples) : SynchronousCommandLineAction
    {
        public override int Invoke(ParseResult parseResult)
        {
            help.Invoke(parseResult);
            var output = parseResult.InvocationConfiguration.Output;
            output.WriteLine(examples.Length == 1 ? "Example:" : "Examples:");
            foreach (var example in examples)
            {
                output.WriteLine($"  {example}");
            }

            return 0;
        }
    }
}
