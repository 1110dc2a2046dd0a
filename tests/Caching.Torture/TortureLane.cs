namespace BufferedMessages.Caching.Torture;

/// <summary>
/// The keys that one thread sets and removes, one by one and by tag; no other thread of any process changes them. Every second key has a tag, always the same one. A removal by tag is noted in the
/// journal of each of its keys, before and after, as a removal of the key is.
/// </summary>
internal sealed class TortureLane
{
    /// <summary>The most tags of all lanes, unless there are more lanes.</summary>
    public const int Tags = 32;

    private const int OneRemovalOf = 16;
    private const int OneTagRemovalOf = 1_000;
    private const int OneAsynchronousOf = 4;
    private const int PlantAfter = 200;

    private static readonly CacheExpiry Untagged = CacheExpiry.Sliding(TimeSpan.FromDays(1));

    private readonly MessageCache<int> _cache;
    private readonly Journal _journal;
    private readonly Random _random;
    private readonly string _plant;
    private readonly int _lane;
    private readonly int _lanes;
    private readonly CacheExpiry[] _tagged;
    private readonly byte[] _buffer = new byte[TortureValue.MaxBytes];
    private long _count;

    /// <param name="cache">The cache.</param>
    /// <param name="journal">The journal of its keys.</param>
    /// <param name="random">The random numbers of the thread.</param>
    /// <param name="lane">The number of the lane.</param>
    /// <param name="lanes">The number of lanes.</param>
    /// <param name="plant">The fault that this lane makes.</param>
    public TortureLane(MessageCache<int> cache, Journal journal, Random random, int lane, int lanes, string plant)
    {
        (_cache, _journal, _random, _plant, _lane, _lanes) = (cache, journal, random, plant, lane, lanes);
        _tagged = [.. Enumerable.Range(0, Math.Max(1, Tags / lanes)).Select(tag => Untagged with { Tags = ["torture", NameOf(tag)] })];
    }

    private bool IsPlantDue => _count % PlantAfter == 0;

    /// <summary>Gets the name of a tag.</summary>
    public static string NameOfTag(int number) => $"tag {number}";

    /// <summary>Changes a key, or removes a tag, and notes it in the journal.</summary>
    /// <returns>The key.</returns>
    public int Change()
    {
        _count++;
        if (_random.Next(OneTagRemovalOf) == 0)
        {
            RemoveTag(_random.Next(_tagged.Length));
        }

        var place = _random.Next(TortureCache.Keys / _lanes);
        var key = KeyOf(place);
        ref var entry = ref _journal[key];
        var isRemoval = _random.Next(OneRemovalOf) == 0;
        var version = Next(entry) + (isRemoval ? 1u : 0u);
        Interlocked.Exchange(ref entry.Begun, version);
        if (isRemoval)
        {
            _cache.Remove(key);
        }
        else
        {
            Set(key, _buffer.AsSpan(0, TortureValue.Write(_buffer, key, version).Length), place % 2 == 0 ? Untagged : _tagged[place / 2 % _tagged.Length]);
            Interlocked.Increment(ref _journal.Counts.Sets);
        }

        Interlocked.Exchange(ref entry.Done, version);
        return key;
    }

    private static uint Next(in Journal.Entry entry) => ((entry.Begun / 2) + 1) * 2;

    private void Set(int key, Span<byte> value, CacheExpiry expiry)
    {
        switch (_plant)
        {
            case "bad" when IsPlantDue:
                value[^1] ^= 1;
                break;
            case "torn" when IsPlantDue:
                value = value[..^1];
                break;
            case "lost" when IsPlantDue:
                _cache.Remove(key);
                return;
        }

        if (_count % OneAsynchronousOf == 0)
        {
            _cache.SetAsync(key, value.ToArray(), expiry).AsTask().Wait();
        }
        else
        {
            _cache.Set(key, value, expiry);
        }
    }

    private void RemoveTag(int tag)
    {
        for (var place = (2 * tag) + 1; place < TortureCache.Keys / _lanes; place += 2 * _tagged.Length)
        {
            ref var entry = ref _journal[KeyOf(place)];
            Interlocked.Exchange(ref entry.Begun, Next(entry) + 1);
        }

        if (_plant != "tag")
        {
            _cache.RemoveByTag(NameOf(tag));
        }

        for (var place = (2 * tag) + 1; place < TortureCache.Keys / _lanes; place += 2 * _tagged.Length)
        {
            ref var entry = ref _journal[KeyOf(place)];
            Interlocked.Exchange(ref entry.Done, entry.Begun);
        }

        Interlocked.Increment(ref _journal.Counts.TagRemovals);
    }

    private int KeyOf(int place) => (place * _lanes) + _lane;

    private string NameOf(int tag) => NameOfTag((tag * _lanes) + _lane);
}
