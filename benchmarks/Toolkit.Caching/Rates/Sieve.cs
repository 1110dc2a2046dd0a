namespace BufferedMessages.CacheBenchmarks;

/// <summary>SIEVE: a hand goes from the oldest key to the newest one and evicts the first key that was not asked for; the others stay in their place.</summary>
internal sealed class Sieve(int capacity) : IEvictionPolicy
{
    private readonly LinkedList<int> _keys = new();
    private readonly Dictionary<int, LinkedListNode<int>> _nodes = [];
    private readonly HashSet<int> _areAsked = [];
    private LinkedListNode<int>? _hand;

    public bool Ask(int key)
    {
        if (_nodes.ContainsKey(key))
        {
            _areAsked.Add(key);
            return true;
        }

        if (_nodes.Count == capacity)
        {
            Evict();
        }

        _nodes.Add(key, _keys.AddFirst(key));
        return false;
    }

    public void Dispose()
    {
    }

    private void Evict()
    {
        var node = _hand ?? _keys.Last!;
        while (_areAsked.Remove(node.Value))
        {
            node = node.Previous ?? _keys.Last!;
        }

        _hand = node.Previous;
        _nodes.Remove(node.Value);
        _keys.Remove(node);
    }
}
