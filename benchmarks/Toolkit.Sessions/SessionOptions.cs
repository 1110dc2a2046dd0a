using System.Globalization;

namespace BufferedMessages.Sessions;

/// <summary>What the command line asks for; the processes that a session starts get the same options.</summary>
internal sealed record SessionOptions
{
    public int PayloadBytes { get; init; } = 64;

    public int? Messages { get; init; }

    public int Rounds { get; init; } = 5;

    public string Directory { get; init; } = Path.GetTempPath();

    /// <summary>
    /// The pages of the segment are in the page cache before the clock starts, so that the figure is what the queue costs, not what the
    /// system needs to supply fresh memory.
    /// </summary>
    public bool HasWarmPages { get; init; }

    public string? JsonFile { get; init; }

    public static SessionOptions Parse(ReadOnlySpan<string> arguments)
    {
        var options = new SessionOptions();
        for (var i = 0; i < arguments.Length; i += 2)
        {
            if (i + 1 == arguments.Length)
            {
                throw new ArgumentException($"'{arguments[i]}' needs a value.");
            }

            var value = arguments[i + 1];
            options = arguments[i] switch
            {
                "--payload" => options with { PayloadBytes = Number(value) },
                "--messages" => options with { Messages = Number(value) },
                "--rounds" => options with { Rounds = Number(value) },
                "--directory" => options with { Directory = value },
                "--pages" => options with
                {
                    HasWarmPages = value switch
                    {
                        "warm" => true,
                        "fresh" => false,
                        _ => throw new ArgumentException($"'{value}' is not fresh or warm."),
                    },
                },
                "--json" => options with { JsonFile = value },
                _ => throw new ArgumentException($"'{arguments[i]}' is not an option."),
            };
        }

        return options;
    }

    public string[] ToArguments() =>
    [
        "--payload", PayloadBytes.ToString(CultureInfo.InvariantCulture),
        "--messages", Messages!.Value.ToString(CultureInfo.InvariantCulture),
        "--directory", Directory,
    ];

    private static int Number(string value) => int.Parse(value, NumberStyles.AllowThousands, CultureInfo.InvariantCulture);
}
