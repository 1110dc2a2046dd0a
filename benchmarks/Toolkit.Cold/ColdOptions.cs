using System.Globalization;

namespace BufferedMessages.ColdBenchmarks;

/// <summary>What is measured.</summary>
internal sealed record ColdOptions
{
    public int Rounds { get; init; } = 15;

    public string? Program { get; init; }

    public string? JsonFile { get; init; }

    /// <summary>Reads the command line; null when it is not understood.</summary>
    public static ColdOptions? Parse(string[] args)
    {
        var options = new ColdOptions();
        for (var i = 0; i < args.Length; i += 2)
        {
            if (i + 1 == args.Length)
            {
                return null;
            }

            switch (args[i])
            {
                case "--rounds" when int.TryParse(args[i + 1], NumberStyles.None, CultureInfo.InvariantCulture, out var rounds) && rounds > 0:
                    options = options with { Rounds = rounds };
                    break;
                case "--program":
                    options = options with { Program = args[i + 1] };
                    break;
                case "--json":
                    options = options with { JsonFile = args[i + 1] };
                    break;
                default:
                    return null;
            }
        }

        return options;
    }
}
