namespace BufferedMessages.CacheBenchmarks;

/// <summary>First in, first out; a key that was asked for since gets a second turn.</summary>
internal sealed class Clock(int capacity) : IEvictionPolicy
{
    private readonly Queue<int> _keys = new();
    private readonly Dictionary<int, bool> _areAsked = [];

    public bool Ask(int key)
    {
        if (_areAsked.ContainsKey(key))
        {
            _areAsked[key] = true;
            return true;
        }

        while (_areAsked.Count == capacity)
        {
            var oldest = _keys.Dequeue();
            if (_areAsked[oldest])
            {
                _areAsked[oldest] = false;
                _keys.Enqueue(oldest);
            }
            else
            {
                _areAsked.Remove(oldest);
            }
        }

        _keys.Enqueue(key);
        _areAsked.Add(key, false);
        return false;
    }

    public void Dispose()
    {
    }
}
