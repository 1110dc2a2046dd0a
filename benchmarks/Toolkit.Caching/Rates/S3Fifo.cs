namespace BufferedMessages.CacheBenchmarks;

/// <summary>S3-FIFO: a small queue for new keys, a main queue with second turns, and a queue of keys that have left the small one.</summary>
internal sealed class S3Fifo(int capacity) : IEvictionPolicy
{
    private const int MaxCount = 3;

    private readonly int _smallCapacity = Math.Max(capacity / 10, 1);
    private readonly Queue<int> _small = new();
    private readonly Queue<int> _main = new();
    private readonly Queue<int> _left = new();
    private readonly HashSet<int> _hasLeft = [];
    private readonly Dictionary<int, int> _counts = [];

    public bool Ask(int key)
    {
        if (_counts.TryGetValue(key, out var count))
        {
            _counts[key] = Math.Min(count + 1, MaxCount);
            return true;
        }

        while (_counts.Count >= capacity)
        {
            Evict();
        }

        (_hasLeft.Remove(key) ? _main : _small).Enqueue(key);
        _counts.Add(key, 0);
        return false;
    }

    public void Dispose()
    {
    }

    private void Evict()
    {
        if (_small.Count < _smallCapacity && _main.Count != 0)
        {
            EvictFromMain();
            return;
        }

        while (_small.TryDequeue(out var key))
        {
            if (_counts[key] > 1)
            {
                _counts[key] = 0;
                _main.Enqueue(key);
                continue;
            }

            _counts.Remove(key);
            Remember(key);
            return;
        }

        EvictFromMain();
    }

    private void EvictFromMain()
    {
        while (true)
        {
            var key = _main.Dequeue();
            if (_counts[key] == 0)
            {
                _counts.Remove(key);
                return;
            }

            _counts[key]--;
            _main.Enqueue(key);
        }
    }

    private void Remember(int key)
    {
        _left.Enqueue(key);
        _hasLeft.Add(key);
        while (_left.Count > capacity - _smallCapacity)
        {
            _hasLeft.Remove(_left.Dequeue());
        }
    }
}
