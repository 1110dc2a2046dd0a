using System.CommandLine;
using System.Globalization;
using System.Runtime.InteropServices;
using BufferedMessages.Caching;

namespace BufferedMessages.Samples.Caching;

/// <summary>The options of the command line.</summary>
internal sealed class CacheSampleOptions
{
    private const long Megabyte = 1024 * 1024;

    /// <summary>Gets the full path of the tree.</summary>
    public required string Root { get; init; }

    /// <summary>Gets the full path of the cache's directory.</summary>
    public required string CacheDirectory { get; init; }

    public required bool IsPlain { get; init; }

    public required long Lookups { get; init; }

    public required long MemoryBytes { get; init; }

    public required long DiskBytes { get; init; }

    /// <summary>Gets the options of the cache.</summary>
    public MessageCacheOptions CacheOptions => new() { MemoryBytes = MemoryBytes, DiskBytes = DiskBytes };

    /// <summary>Runs the command line.</summary>
    /// <param name="arguments">The command line.</param>
    /// <param name="run">What is done with its options.</param>
    public static Task<int> RunAsync(string[] arguments, Func<CacheSampleOptions, int> run)
    {
        var tree = SampleCommand.ExistingDirectory("The tree whose files are looked up", Directory.Exists("/usr/share") ? "/usr/share" : RuntimeEnvironment.GetRuntimeDirectory());
        var plain = new Option<bool>("--plain") { Description = "Print lines instead of the live table" };
        var lookups = Number("--lookups", "How many files are looked up", 100_000);
        var memory = Number("--memory", "The memory budget of the cache, in megabytes", 16);
        var disk = Number("--disk", "Its disk budget, in megabytes", 256);
        var folder = new Option<string>("--cache") { Description = "Where the cache is kept for the next run", HelpName = "directory", DefaultValueFactory = static _ => Path.Combine(Path.GetTempPath(), $"BufferedMessages-{Environment.UserName}", "files") };
        var command = new RootCommand("Looks up files through a cache that is larger than its memory: hits are read in place, and the next run finds what this one has set.") { tree, plain, lookups, memory, disk, folder };
        command.SetAction(parsed => run(new CacheSampleOptions
        {
            Root = Path.TrimEndingDirectorySeparator(Path.GetFullPath(parsed.GetRequiredValue(tree))),
            CacheDirectory = Path.GetFullPath(parsed.GetRequiredValue(folder)),
            IsPlain = parsed.GetValue(plain),
            Lookups = parsed.GetValue(lookups),
            MemoryBytes = parsed.GetValue(memory) * Megabyte,
            DiskBytes = parsed.GetValue(disk) * Megabyte,
        }));
        return SampleCommand.RunAsync(command, arguments, "dotnet run --project samples/04-Cache", "dotnet run --project samples/04-Cache -- /usr/lib --memory 64 --lookups 1000000");
    }

    private static Option<int> Number(string name, string description, int fallback)
    {
        var option = new Option<int>(name) { Description = description, HelpName = "number", DefaultValueFactory = _ => fallback };
        option.Validators.Add(result =>
        {
            if (result.Tokens is [var token] && (!int.TryParse(token.Value, NumberStyles.None, CultureInfo.InvariantCulture, out var number) || number == 0))
            {
                result.AddError($"A whole number above zero must follow '{name}'.");
            }
        });
        return option;
    }
}
