using System.Text.Json;

namespace BufferedMessages.Tool;

/// <summary>The changes that a page may ask for, as command lines. The commands themselves refuse those that are impossible.</summary>
internal static class PageChanges
{
    /// <summary>Reads a change.</summary>
    /// <param name="body">An object with the action, the path of a queue, and the values that the action needs.</param>
    /// <param name="find">Gives a queue that the page shows.</param>
    /// <exception cref="RefusedException">It is not a change.</exception>
    public static string[] CommandLine(ReadOnlySpan<byte> body, Func<string, ServedTarget> find)
    {
        try
        {
            var reader = new Utf8JsonReader(body);
            using var document = JsonDocument.ParseValue(ref reader);
            var change = document.RootElement;
            var queue = find(TextOf(change, "path")).Target.Path;
            return TextOf(change, "action") switch
            {
                "seek" => ["name", "seek", "--json", $"--to={TextOf(change, "to")}", "--", queue, TextOf(change, "name")],
                "remove" => ["name", "rm", "--json", "--yes", "--", queue, TextOf(change, "name")],
                "requeue" => Dead("requeue", change, queue),
                "drop" => Dead("drop", change, queue),
                var other => throw new RefusedException(RefusalKind.Malformed, $"Unknown change '{other}'."),
            };
        }
        catch (Exception exception) when (exception is JsonException or InvalidOperationException or KeyNotFoundException or FormatException)
        {
            throw new RefusedException(RefusalKind.Malformed, "The change is not complete.");
        }
    }

    private static string[] Dead(string verb, JsonElement change, string queue) =>
        ["dead", verb, "--json", "--yes", $"--handler={TextOf(change, "name")}", $"--position={TextOf(change, "position")}", "--", queue];

    private static string TextOf(JsonElement change, string name) => change.GetProperty(name).GetString() ?? throw new FormatException();
}
