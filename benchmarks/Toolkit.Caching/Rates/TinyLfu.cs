namespace BufferedMessages.CacheBenchmarks;

/// <summary>W-TinyLFU: a window of a hundredth, a main part of two lists, and a sketch of counts that admits a key only if it was asked for more often than the one it would replace.</summary>
internal sealed class TinyLfu : IEvictionPolicy
{
    private const int Rows = 4;
    private const int MaxCount = 15;
    private const int CountersPerKey = 8;
    private const int Lifetime = 10;

    private readonly int _capacity;
    private readonly int _windowCapacity;
    private readonly int _protectedCapacity;
    private readonly LinkedList<int> _window = new();
    private readonly LinkedList<int> _probation = new();
    private readonly LinkedList<int> _protected = new();
    private readonly Dictionary<int, LinkedListNode<int>> _nodes = [];
    private readonly byte[] _counters;
    private int _counted;

    public TinyLfu(int capacity)
    {
        _capacity = capacity;
        _windowCapacity = Math.Max(capacity / 100, 1);
        _protectedCapacity = (capacity - _windowCapacity) / 5 * 4;
        _counters = new byte[System.Numerics.BitOperations.RoundUpToPowerOf2((uint)(capacity * CountersPerKey))];
    }

    public bool Ask(int key)
    {
        Count(key);
        if (_nodes.TryGetValue(key, out var node))
        {
            Use(node);
            return true;
        }

        _nodes.Add(key, _window.AddFirst(key));
        if (_window.Count > _windowCapacity)
        {
            Admit(_window.Last!);
        }

        return false;
    }

    public void Dispose()
    {
    }

    private void Use(LinkedListNode<int> node)
    {
        var list = node.List!;
        list.Remove(node);
        (list == _probation ? _protected : list).AddFirst(node);
        if (_protected.Count > _protectedCapacity)
        {
            var last = _protected.Last!;
            _protected.Remove(last);
            _probation.AddFirst(last);
        }
    }

    private void Admit(LinkedListNode<int> candidate)
    {
        _window.Remove(candidate);
        if (_probation.Count + _protected.Count < _capacity - _windowCapacity)
        {
            _probation.AddFirst(candidate);
            return;
        }

        var victim = _probation.Last ?? _protected.Last!;
        if (Estimate(candidate.Value) <= Estimate(victim.Value))
        {
            _nodes.Remove(candidate.Value);
            return;
        }

        _nodes.Remove(victim.Value);
        victim.List!.Remove(victim);
        _probation.AddFirst(candidate);
    }

    private void Count(int key)
    {
        var count = Estimate(key);
        for (var row = 0; row < Rows && count < MaxCount; row++)
        {
            ref var counter = ref _counters[Position(key, row)];
            counter += counter == count ? (byte)1 : (byte)0;
        }

        if (++_counted == _capacity * Lifetime)
        {
            _counted /= 2;
            foreach (ref var counter in _counters.AsSpan())
            {
                counter /= 2;
            }
        }
    }

    private int Estimate(int key)
    {
        var least = MaxCount;
        for (var row = 0; row < Rows; row++)
        {
            least = Math.Min(least, _counters[Position(key, row)]);
        }

        return least;
    }

    private int Position(int key, int row) => (int)(KeyTrace.Mix((ulong)key * Rows + (ulong)row) & (ulong)(_counters.Length - 1));
}
