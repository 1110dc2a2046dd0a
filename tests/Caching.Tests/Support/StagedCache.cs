using System.Runtime.InteropServices;

namespace BufferedMessages.Caching.Tests;

/// <summary>Tests with a cache whose memory is full, so that new records are in chunks that are not in their segments yet.</summary>
public abstract class StagedCache : IDisposable
{
    private protected const int Keys = 20_000;
    private protected const int NewKey = Keys;
    private protected const int WordsOffset = 64;
    private protected const int WordsEnd = WordsOffset + (CacheControl.CountLanes * sizeof(ulong));
    private protected static readonly TimeSpan Generous = TimeSpan.FromSeconds(120);

    private protected CacheDirectory Folder { get; } = new();

    private protected ManualClock Clock { get; } = new();

    private protected MessageCacheOptions Options => CacheDirectory.SmallWith(options =>
    {
        options.SegmentBytes = 256 * 1024;
        options.DiskBytes = 16 * options.SegmentBytes.Value;
        options.TimeProvider = Clock;
    });

    // All entries fit into the budget of the disk, and not into that of the memory.
    private protected MessageCache<int> OpenFilled() => OpenFilled(out _);

    private protected MessageCache<int> OpenFilled(out CacheStore store)
    {
        var engine = CacheOpening.Open(Folder, CacheKey.KindOf<int>(), Options);
        var cache = new MessageCache<int>(engine);
        store = engine.Store;
        for (var round = 0; round < 2; round++)
        {
            for (var key = 0; key < Keys; key++)
            {
                cache.Set(key, ValueOf(key));
            }
        }

        AwaitFreeSegments();
        Assert.Contains(StagedWords(Folder), static word => word != 0);
        return cache;
    }

    // As a process leaves the files when it is killed. They are copied one after the other, so no thread may change them.
    private protected void CopyTo(CacheDirectory copy)
    {
        AwaitFreeSegments();
        Folder.CopyTo(copy);
    }

    private protected static void AssertValues(MessageCache<int> cache, int count) =>
        Assert.All(Enumerable.Range(0, count), key => Assert.Equal(ValueOf(key), cache.Read(key)));

    // An entry may be lost.
    private protected static void AssertNoOtherValue(MessageCache<int> cache) =>
        Assert.All(Enumerable.Range(0, Keys + 1), key => Assert.True(cache.Read(key) is not { } value || value.AsSpan().SequenceEqual(ValueOf(key))));

    private protected static byte[] ValueOf(int number) => MemoryMarshal.AsBytes(Enumerable.Repeat(number, 8).ToArray().AsSpan()).ToArray();

    private protected bool IsInSegments(int key) =>
        Directory.GetFiles(Folder, "*.segment").Any(path => Read(path).AsSpan().IndexOf(ValueOf(key)) >= 0);

    private protected static ulong[] StagedWords(string directory) =>
        MemoryMarshal.Cast<byte, ulong>(Read(CacheFiles.Staged(directory)).AsSpan(WordsOffset..WordsEnd)).ToArray();

    private protected static byte[] Read(string path)
    {
        using var file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        var bytes = new byte[file.Length];
        file.ReadExactly(bytes);
        return bytes;
    }

    // Two are kept ready. Until they are, the thread that empties segments changes files, and moves chunks to the full segments.
    private protected void AwaitFreeSegments()
    {
        var control = CacheControl.Open(Folder, FileAccess.Read);
        Assert.True(SpinWait.SpinUntil(() => Enumerable.Range(0, control.SlotCount).Count(slot => Volatile.Read(ref control.Slot(slot).State) == SlotState.Free) >= 2, Generous), "Segments are not free.");
    }

    public void Dispose()
    {
        Folder.Dispose();
        GC.SuppressFinalize(this);
    }
}
