using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;
using System.Runtime.InteropServices;
using BufferedMessages.Samples;

namespace BufferedMessages.Running;

/// <summary>Runs the command line of a program that measures or tortures, until its end or Ctrl+C.</summary>
internal static class RunnerCommand
{
    /// <summary>The exit code of a mistake in the command line.</summary>
    public const int Mistake = SampleCommand.Mistake;

    /// <summary>The exit code of a run that could not go on.</summary>
    public const int Failed = 1;

    /// <summary>The exit code after Ctrl+C, as shells have it.</summary>
    public const int Stopped = 128 + 2;

    private static readonly CancellationTokenSource Stop = new();

    /// <summary>Is cancelled by the first Ctrl+C. The program then ends its processes and deletes its files; a second Ctrl+C ends it at once.</summary>
    public static CancellationToken Stopping => Stop.Token;

    /// <param name="command">The command, with its options and its action.</param>
    /// <param name="arguments">The command line.</param>
    /// <param name="examples">Command lines that the help shows.</param>
    /// <returns>The exit code.</returns>
    public static async Task<int> RunAsync(RootCommand command, string[] arguments, params string[] examples)
    {
        using var interrupt = PosixSignalRegistration.Create(PosixSignal.SIGINT, OnSignal);
        using var terminate = PosixSignalRegistration.Create(PosixSignal.SIGTERM, OnSignal);
        try
        {
            return await SampleCommand.RunAsync(command, arguments, examples);
        }
        catch (Exception) when (Stop.IsCancellationRequested)
        {
            // In a terminal Ctrl+C also ends the processes that this one talks to, so that any call to them may fail.
            await Console.Error.WriteLineAsync("Stopped.");
            return Stopped;
        }
    }

    /// <summary>A whole number with a default.</summary>
    public static Option<int> Number(string name, string description, int fallback, int least = 0) => new(name)
    {
        Description = description,
        HelpName = "number",
        DefaultValueFactory = _ => fallback,
        CustomParser = result => Parse(result, name, least),
    };

    /// <summary>A whole number that may be missing.</summary>
    public static Option<int?> OptionalNumber(string name, string description, int least = 0) => new(name)
    {
        Description = description,
        HelpName = "number",
        CustomParser = result => Parse(result, name, least),
    };

    /// <summary>A number above zero that may be missing.</summary>
    public static Option<double?> OptionalFraction(string name, string description) => new(name)
    {
        Description = description,
        HelpName = "number",
        CustomParser = result =>
        {
            if (double.TryParse(result.Tokens[0].Value, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var number) && number > 0)
            {
                return number;
            }

            result.AddError($"{name} needs a number above 0, not '{result.Tokens[0].Value}'.");
            return null;
        },
    };

    /// <summary>One of the members of an enumeration, by their names as words: EveryMessage is every-message.</summary>
    public static Option<T> Choice<T>(string name, string description, T fallback = default)
        where T : struct, Enum
    {
        var words = Enum.GetValues<T>().ToDictionary(Word, StringComparer.Ordinal);
        return new Option<T>(name)
        {
            Description = description,
            HelpName = string.Join('|', words.Keys),
            DefaultValueFactory = _ => fallback,
            CustomParser = result =>
            {
                if (words.TryGetValue(result.Tokens[0].Value, out var choice))
                {
                    return choice;
                }

                result.AddError($"{name} is one of {string.Join(", ", words.Keys)}, not '{result.Tokens[0].Value}'.");
                return default;
            },
        };
    }

    /// <summary>One of some words.</summary>
    public static Option<string> Choice(string name, string description, string fallback, params string[] words)
    {
        var option = new Option<string>(name) { Description = description, HelpName = string.Join('|', words), DefaultValueFactory = _ => fallback };
        option.Validators.Add(result =>
        {
            if (result.Tokens is [var token] && !words.Contains(token.Value))
            {
                result.AddError($"{name} is one of {string.Join(", ", words)}, not '{token.Value}'.");
            }
        });
        return option;
    }

    /// <summary>A member of an enumeration as the command line has it.</summary>
    public static string Word<T>(T choice)
        where T : struct, Enum
        => string.Concat(choice.ToString().Select((c, i) => (i != 0 && char.IsUpper(c) ? "-" : "") + char.ToLowerInvariant(c)));

    /// <summary>The file of the figures.</summary>
    public static Option<string?> JsonFile()
    {
        var option = new Option<string?>("--json") { Description = "A file for the figures", HelpName = "file" };
        option.Validators.Add(static result =>
        {
            // Found out before the run: it would lose all figures at its end.
            if (result.Tokens is [{ Value.Length: > 0 } token] && !Directory.Exists(Path.GetDirectoryName(Path.GetFullPath(token.Value))))
            {
                result.AddError($"The directory of --json '{token.Value}' does not exist.");
            }
        });
        return option;
    }

    private static int Parse(ArgumentResult result, string name, int least)
    {
        if (int.TryParse(result.Tokens[0].Value, NumberStyles.AllowThousands, CultureInfo.InvariantCulture, out var number) && number >= least)
        {
            return number;
        }

        result.AddError($"{name} needs a whole number from {least} on, not '{result.Tokens[0].Value}'.");
        return least;
    }

    private static void OnSignal(PosixSignalContext context)
    {
        context.Cancel = !Stop.IsCancellationRequested;
        Stop.Cancel();
    }
}
