using System.Numerics;

namespace BufferedMessages.Caching;

/// <summary>
/// Remembers keys beyond their entries, once the cache is nearly full: how often keys that have left it were asked for, and whether recent or frequent use predicts the next use better.
/// Sets count keys from all threads; everything else is called by the thread that recycles segments.
/// </summary>
internal sealed class EvictionChoice
{
    // Counts are halved after this many requests per entry.
    private const int Lifetime = 40;

    // Keys of a trial: enough to compare two hit rates, few enough to cost little.
    private const int TrialKeys = 1_000;
    private const int FewestTrialKeys = 64;

    // More entries than a bucket and its overflow have, because the full cache may need a larger index.
    private const int MostPerBucket = 32;

    private FrequencySketch? _sketch;
    private EvictionTrial? _trial;
    private long _sampledEntries;
    private long _halvedAt;

    /// <summary>Gets the sample in which reads are noted.</summary>
    public ReadSample Sample { get; } = new();

    /// <summary>Gets whether entries that were read last are kept, rather than those that were read often.</summary>
    public bool PrefersRecent => _trial is { PrefersRecent: true };

    /// <summary>Counts a set of a key without an entry, and returns how often it was asked for.</summary>
    public int CountNew(ulong hash) => Volatile.Read(ref _sketch) is { } sketch ? sketch.Count(hash) : 1;

    /// <summary>Remembers an entry that is evicted.</summary>
    public void Remember(ulong hash, int reads) => _sketch?.Raise(hash, reads);

    /// <summary>Processes the keys that were asked for since the last call. Called before entries are evicted.</summary>
    /// <param name="entries">The number of entries of the full cache.</param>
    /// <param name="asked">The number of reads since the cache was opened.</param>
    /// <param name="table">The index, which has the reads of the entries.</param>
    public void Update(long entries, long asked, IndexTable table)
    {
        // The number is counted in a file, and noise in that file must not decide how much memory is allocated.
        entries = Math.Clamp(entries, 1, table.Buckets * MostPerBucket);
        if (_sketch is null || entries > 2 * _sketch.Entries)
        {
            Volatile.Write(ref _sketch, new FrequencySketch(entries));
            _halvedAt = asked;
        }

        if (asked - _halvedAt >= Lifetime * entries)
        {
            _halvedAt = asked;
            _sketch.Halve();
            table.HalveReads();
        }

        if (_trial is null || entries > 2 * _sampledEntries || entries < _sampledEntries / 4)
        {
            BeginTrial(entries);
        }

        while (Sample.TryTake(out var hash))
        {
            _trial!.Read(hash);
        }
    }

    private void BeginTrial(long entries)
    {
        var rate = (long)BitOperations.RoundUpToPowerOf2((ulong)(entries / TrialKeys / 2) + 1);
        _sampledEntries = entries;
        _trial = new EvictionTrial((int)Math.Max(entries / rate, FewestTrialKeys));
        Sample.Start(rate);
    }
}
