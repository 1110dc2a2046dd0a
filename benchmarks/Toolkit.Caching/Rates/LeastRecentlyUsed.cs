namespace BufferedMessages.CacheBenchmarks;

/// <summary>Evicts the key that was not asked for the longest time.</summary>
internal sealed class LeastRecentlyUsed(int capacity) : IEvictionPolicy
{
    private readonly LinkedList<int> _keys = new();
    private readonly Dictionary<int, LinkedListNode<int>> _nodes = [];

    public bool Ask(int key)
    {
        if (_nodes.TryGetValue(key, out var node))
        {
            _keys.Remove(node);
            _keys.AddFirst(node);
            return true;
        }

        if (_nodes.Count == capacity)
        {
            _nodes.Remove(_keys.Last!.Value);
            _keys.RemoveLast();
        }

        _nodes.Add(key, _keys.AddFirst(key));
        return false;
    }

    public void Dispose()
    {
    }
}
