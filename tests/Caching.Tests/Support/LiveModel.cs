namespace BufferedMessages.Caching.Tests;

/// <summary>The entries that a cache must have, of the keys that one thread changes. Their bytes stay below a budget.</summary>
/// <param name="clock">The clock of the cache.</param>
/// <param name="budget">The most bytes of the entries; those that are expired or removed by their tag count until <see cref="RemoveAbove"/>.</param>
/// <param name="lane">The number of the thread.</param>
/// <param name="lanes">The number of threads.</param>
internal sealed class LiveModel(ManualClock clock, long budget, int lane = 0, int lanes = 1)
{
    public const int Tags = 8;

    private readonly Dictionary<int, Entry> _entries = [];
    private readonly List<int> _keys = [];
    private readonly CacheExpiry[] _tagged = [.. Enumerable.Range(0, Tags).Select(tag => CacheExpiry.Never with { Tags = ["model", NameOf(tag, lane)] })];
    private long _live;

    // The time when those that had ended were forgotten; the least time if some may have ended since by their tag.
    private DateTimeOffset _forgottenAt = DateTimeOffset.MinValue;

    public long LiveBytes => _live;

    public void Set(MessageCache<int> cache, int key, int bytes, TimeSpan? expiry = null, int? tag = null)
    {
        cache.Set(KeyOf(key), Values.Of(key, bytes), expiry is { } time ? CacheExpiry.After(time) : tag is { } number ? _tagged[number] : default);
        Forget(key);
        _entries[key] = new Entry(bytes, expiry is { } after ? clock.Now + after : DateTimeOffset.MaxValue, tag);
        _keys.Add(key);
        _live += _entries[key].RecordBytes;
    }

    public void Read(MessageCache<int> cache, int key) => Assert.Equal(Expected(key), cache.Read(KeyOf(key)));

    public void Touch(MessageCache<int> cache, int key, TimeSpan expiry)
    {
        Assert.Equal(Has(key), cache.Touch(KeyOf(key), CacheExpiry.After(expiry)));
        if (Has(key))
        {
            _entries[key] = _entries[key] with { Expires = clock.Now + expiry };
        }
    }

    public void Remove(MessageCache<int> cache, int key)
    {
        Assert.Equal(Has(key), cache.Remove(KeyOf(key)));
        Forget(key);
    }

    public void RemoveTag(MessageCache<int> cache, int tag)
    {
        cache.RemoveByTag(NameOf(tag, lane));
        foreach (var (key, entry) in _entries.Where(entry => entry.Value.Tag == tag).ToList())
        {
            _entries[key] = entry with { Expires = DateTimeOffset.MinValue };
        }

        _forgottenAt = DateTimeOffset.MinValue;
    }

    /// <summary>Removes entries while they are above the budget. The cache drops those that have ended by itself.</summary>
    public void RemoveAbove(MessageCache<int> cache, Random random)
    {
        if (_live <= budget)
        {
            return;
        }

        if (_forgottenAt != clock.Now)
        {
            foreach (var key in _keys.Where(key => !Has(key)).ToList())
            {
                Forget(key);
            }

            _forgottenAt = clock.Now;
        }

        while (_live > budget)
        {
            Remove(cache, _keys[random.Next(_keys.Count)]);
        }
    }

    public void AssertEqual(MessageCache<int> cache)
    {
        Assert.Equal(0, cache.GetStatistics().Evicted);
        foreach (var key in _keys)
        {
            Read(cache, key);
        }
    }

    private static string NameOf(int tag, int lane) => $"model {lane} {tag}";

    private int KeyOf(int key) => (key * lanes) + lane;

    private bool Has(int key) => _entries.TryGetValue(key, out var entry) && entry.Expires > clock.Now;

    private byte[]? Expected(int key) => Has(key) ? Values.Of(key, _entries[key].Bytes) : null;

    private void Forget(int key)
    {
        if (_entries.Remove(key, out var entry))
        {
            _keys.Remove(key);
            _live -= entry.RecordBytes;
        }
    }

    /// <param name="Bytes">The bytes of its value.</param>
    /// <param name="Expires">When it ends; removed by its tag is the least time.</param>
    /// <param name="Tag">Its tag.</param>
    private sealed record Entry(int Bytes, DateTimeOffset Expires, int? Tag)
    {
        private const int BytesOfTwoTags = 12;

        public long RecordBytes => CacheRecord.BytesOf(sizeof(int), Bytes, Tag is null ? 0 : CacheRecord.TagsFlag, Tag is null ? 0 : BytesOfTwoTags);
    }
}
