using System.Globalization;
using System.Runtime.InteropServices;
using BufferedMessages.Caching;

namespace BufferedMessages.Samples.Caching;

/// <summary>The options of the command line.</summary>
internal sealed class CacheSampleOptions
{
    public const string Usage = """
        Cache [path] [--plain] [--lookups N] [--memory MB] [--disk MB] [--cache DIR]
          path         the tree whose files are looked up; /usr/share by default, or where .NET is when there is none
          --plain      print lines instead of the live table
          --lookups N  how many files are looked up; 100000 by default
          --memory MB  the memory budget of the cache; 16 by default
          --disk MB    its disk budget; 256 by default
          --cache DIR  where the cache is kept for the next run; in the temporary directory by default
        """;

    private const long Megabyte = 1024 * 1024;

    /// <summary>Gets the full path of the tree.</summary>
    public string Root { get; private set; } = Directory.Exists("/usr/share") ? "/usr/share" : RuntimeEnvironment.GetRuntimeDirectory();

    /// <summary>Gets the full path of the cache's directory.</summary>
    public string CacheDirectory { get; private set; } = Path.Combine(Path.GetTempPath(), $"BufferedMessages-{Environment.UserName}", "files");

    public bool IsPlain { get; private set; }

    public long Lookups { get; private set; } = 100_000;

    public long MemoryBytes { get; private set; } = 16 * Megabyte;

    public long DiskBytes { get; private set; } = 256 * Megabyte;

    /// <summary>Gets the options of the cache.</summary>
    public MessageCacheOptions CacheOptions => new() { MemoryBytes = MemoryBytes, DiskBytes = DiskBytes };

    /// <summary>Parses the command line.</summary>
    /// <exception cref="ArgumentException">The command line is invalid.</exception>
    public static CacheSampleOptions Parse(ReadOnlySpan<string> arguments)
    {
        var options = new CacheSampleOptions();
        string? root = null;
        for (var i = 0; i < arguments.Length; i++)
        {
            switch (arguments[i])
            {
                case "--plain":
                    options.IsPlain = true;
                    break;
                case "--lookups":
                    options.Lookups = Number(arguments, ref i);
                    break;
                case "--memory":
                    options.MemoryBytes = Number(arguments, ref i) * Megabyte;
                    break;
                case "--disk":
                    options.DiskBytes = Number(arguments, ref i) * Megabyte;
                    break;
                case "--cache" when i + 1 < arguments.Length:
                    options.CacheDirectory = arguments[++i];
                    break;
                case var path when root is null && !path.StartsWith("--", StringComparison.Ordinal):
                    root = path;
                    break;
                default:
                    throw new ArgumentException($"'{arguments[i]}' is not understood.{Environment.NewLine}{Usage}");
            }
        }

        options.Root = Path.TrimEndingDirectorySeparator(Path.GetFullPath(root ?? options.Root));
        options.CacheDirectory = Path.GetFullPath(options.CacheDirectory);
        return Directory.Exists(options.Root) ? options : throw new ArgumentException($"There is no directory '{options.Root}'.");
    }

    private static long Number(ReadOnlySpan<string> arguments, ref int index)
    {
        var name = arguments[index++];
        return index < arguments.Length && int.TryParse(arguments[index], NumberStyles.None, CultureInfo.InvariantCulture, out var number) && number > 0
            ? number
            : throw new ArgumentException($"A whole number above zero must follow '{name}'.{Environment.NewLine}{Usage}");
    }
}
