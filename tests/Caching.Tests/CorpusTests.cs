using System.Runtime.CompilerServices;

namespace BufferedMessages.Caching.Tests;

/// <summary>Caches of all releases, in tests/Corpus, are read by this one.</summary>
public sealed class CorpusTests
{
    private const string Variable = "BUFFEREDMESSAGES_MAKE_CORPUS";
    private const string Suffix = ".tsv";
    private const int Entries = 60;
    private const int SegmentBytes = 64 * 1024;

    private static string Corpora { get; } = Path.GetFullPath(Path.Combine(FolderOfThisFile(), "../Corpus"));

    [MakeCacheFact]
    public void The_cache_of_a_release_is_made()
    {
        var folder = Path.Combine(Corpora, Environment.GetEnvironmentVariable(Variable)!, "caches");
        Assert.False(Directory.Exists(folder), $"{folder} is there: corpora of releases never change. Delete it if the release is not published yet.");
        var directory = Path.Combine(folder, "texts");
        using (var cache = MessageCache.Open<string>(directory, Options()))
        {
            for (var i = 0; i < Entries; i++)
            {
                cache.Set($"key {i}", Values.Of(i, 20 * i));
            }

            cache.Remove("key 7");
            cache.Set("key 8", "another value"u8);
        }

        using var again = MessageCache.Open<string>(directory, Options());
        File.WriteAllLines(directory + Suffix, Enumerable.Range(0, Entries).Select(i => $"key {i}\t{(again.Read($"key {i}") is { } value ? Convert.ToHexString(value) : "-")}"));
    }

    [Fact]
    public void Caches_of_all_releases_are_read_as_then()
    {
        var lists = Directory.GetFiles(Corpora, "*" + Suffix, SearchOption.AllDirectories).Where(static path => path.Contains("caches", StringComparison.Ordinal)).ToList();
        Assert.NotEmpty(lists);
        foreach (var list in lists)
        {
            using var copy = new CacheDirectory();
            foreach (var file in Directory.GetFiles(list[..^Suffix.Length]))
            {
                Directory.CreateDirectory(copy);
                File.Copy(file, Path.Combine(copy, Path.GetFileName(file)));
            }

            foreach (var open in new Func<MessageCache<string>>[] { () => MessageCache.OpenReadOnly<string>(copy), () => MessageCache.Open<string>(copy, Options()) })
            {
                using var cache = open();
                foreach (var line in File.ReadLines(list))
                {
                    var (key, value) = (line.Split('\t')[0], line.Split('\t')[1]);
                    Assert.Equal(value == "-" ? null : Convert.FromHexString(value), cache.Read(key));
                }
            }
        }
    }

    private static MessageCacheOptions Options() => new() { SegmentBytes = SegmentBytes, DiskBytes = 8 * SegmentBytes, MemoryBytes = 1024 * 1024, ExpectedEntries = 100 };

    private static string FolderOfThisFile([CallerFilePath] string file = "") => Path.GetDirectoryName(file)!;

    /// <summary>Makes files, and so runs only when it is asked to.</summary>
    [AttributeUsage(AttributeTargets.Method)]
    private sealed class MakeCacheFactAttribute : FactAttribute
    {
        public MakeCacheFactAttribute() => Skip = Environment.GetEnvironmentVariable(Variable) is null ? $"Set {Variable} to the release to make its cache." : null;
    }
}
