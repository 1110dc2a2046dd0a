namespace BufferedMessages.Caching;

/// <summary>
/// Two small caches of keys without values, which get the reads of a sample. One keeps the most recently used keys, the other one the most frequently used ones. Their hits tell which of
/// the two suits the workload. One thread uses it.
/// </summary>
internal sealed class EvictionTrial
{
    // As in the cache, the counts of the sketch are halved after this many requests per key of the capacity.
    private const int Lifetime = 40;

    // The difference that changes the choice: a hundredth of the hits.
    private const double Margin = 0.01;

    private readonly TrialList _recent;
    private readonly TrialList _frequent;
    private readonly FrequencySketch _sketch;
    private readonly int _capacity;
    private readonly double _fading;
    private double _recentHits;
    private double _frequentHits;
    private long _asked;

    /// <param name="capacity">The number of keys of each, at least two.</param>
    public EvictionTrial(int capacity)
    {
        _capacity = capacity;
        _recent = new TrialList(capacity);
        _frequent = new TrialList(capacity);
        _sketch = new FrequencySketch(capacity);
        _fading = 1 - (1 / (2.0 * capacity));
    }

    /// <summary>Gets whether the keys that were used last have more hits. While both have about as many, the answer does not change. True before the first hit.</summary>
    public bool PrefersRecent { get; private set; } = true;

    /// <summary>Counts a read.</summary>
    public void Read(ulong key)
    {
        _recentHits = (_recentHits * _fading) + (IsRecent(key) ? 1 : 0);
        _frequentHits = (_frequentHits * _fading) + (IsFrequent(key) ? 1 : 0);
        var difference = _recentHits - _frequentHits;
        if (Math.Abs(difference) > (_recentHits + _frequentHits) * Margin)
        {
            PrefersRecent = difference > 0;
        }
    }

    private bool IsRecent(ulong key)
    {
        if (_recent.TryUse(key))
        {
            return true;
        }

        _recent.Add(key);
        return false;
    }

    private bool IsFrequent(ulong key)
    {
        if (++_asked == (long)_capacity * Lifetime)
        {
            _asked = 0;
            _sketch.Halve();
        }

        var count = _sketch.Count(key);
        if (_frequent.TryUse(key))
        {
            return true;
        }

        if (!_frequent.IsFull || count > _sketch.Estimate(_frequent.Oldest))
        {
            _frequent.Add(key);
        }

        return false;
    }
}
