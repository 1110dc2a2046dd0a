using System.CommandLine;

namespace BufferedMessages.Tool;

/// <summary>The options of every command.</summary>
internal static class CommonOptions
{
    private const string Json = "--json";
    private const string NoColor = "--no-color";

    /// <summary>Adds the options.</summary>
    public static void AddTo(RootCommand root)
    {
        root.Options.Add(new Option<bool>(Json) { Description = "Write JSON, a line for each object.", Recursive = true });
        root.Options.Add(new Option<bool>(NoColor) { Description = "Write no colors. NO_COLOR, and an output that is not a terminal, have the same effect.", Recursive = true });
    }

    /// <summary>Gets whether a program reads the output.</summary>
    public static bool IsJson(ParseResult arguments) => arguments.GetValue<bool>(Json);

    /// <summary>Gets whether colors are forbidden.</summary>
    public static bool IsColorless(ParseResult arguments) => arguments.GetValue<bool>(NoColor);
}
