using System.Globalization;

namespace BufferedMessages.CacheBenchmarks;

/// <summary>What is measured, and where.</summary>
internal sealed record BenchmarkOptions
{
    public int Keys { get; init; } = 1_000_000;

    public TimeSpan Time { get; init; } = TimeSpan.FromSeconds(1);

    public string? JsonFile { get; init; }

    public string Directory { get; init; } = Path.GetTempPath();

    /// <summary>Only values of so many bytes.</summary>
    public int? Bytes { get; init; }

    /// <summary>Only so many times more data than memory.</summary>
    public double? Ratio { get; init; }

    public bool OursOnly { get; init; }

    public bool Reopens { get; init; } = true;

    /// <summary>Reads the command line; null when it is not understood.</summary>
    public static BenchmarkOptions? Parse(ReadOnlySpan<string> arguments)
    {
        var options = new BenchmarkOptions();
        for (var i = 0; i < arguments.Length; i++)
        {
            var value = i + 1 < arguments.Length ? arguments[i + 1] : "";
            switch (arguments[i])
            {
                case "--quick":
                    options = options with { Keys = 200_000, Time = TimeSpan.FromSeconds(0.2) };
                    continue;
                case "--ours":
                    options = options with { OursOnly = true, Reopens = false };
                    continue;
                case "--json" when value.Length != 0:
                    options = options with { JsonFile = value };
                    break;
                case "--directory" when value.Length != 0:
                    options = options with { Directory = value };
                    break;
                case "--bytes" when int.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out var bytes):
                    options = options with { Bytes = bytes };
                    break;
                case "--ratio" when double.TryParse(value, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var ratio):
                    options = options with { Ratio = ratio };
                    break;
                case "--seconds" when double.TryParse(value, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var seconds):
                    options = options with { Time = TimeSpan.FromSeconds(seconds) };
                    break;
                default:
                    return null;
            }

            i++;
        }

        return options;
    }
}
