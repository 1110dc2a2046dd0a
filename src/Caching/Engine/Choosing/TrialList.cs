namespace BufferedMessages.Caching;

/// <summary>Keys in the order of their last use, up to a number. Allocates only when it is created.</summary>
internal sealed class TrialList
{
    private readonly Dictionary<ulong, int> _positions;
    private readonly ulong[] _keys;
    private readonly int[] _newer;
    private readonly int[] _older;
    private int _newest;
    private int _oldest;

    public TrialList(int capacity)
    {
        _positions = new Dictionary<ulong, int>(capacity + 1);
        _keys = new ulong[capacity];
        _newer = new int[capacity];
        _older = new int[capacity];
    }

    public bool IsFull => _positions.Count == _keys.Length;

    /// <summary>Gets the key that was not used for the longest time. The list is not empty.</summary>
    public ulong Oldest => _keys[_oldest];

    /// <summary>Moves a key to the newest place, if it is in the list.</summary>
    public bool TryUse(ulong key)
    {
        if (!_positions.TryGetValue(key, out var position))
        {
            return false;
        }

        if (position != _newest)
        {
            if (position == _oldest)
            {
                _oldest = _newer[position];
            }
            else
            {
                _newer[_older[position]] = _newer[position];
                _older[_newer[position]] = _older[position];
            }

            Append(position);
        }

        return true;
    }

    /// <summary>Adds a key, and drops the oldest one when the list is full.</summary>
    public void Add(ulong key)
    {
        var position = _positions.Count;
        if (IsFull)
        {
            position = _oldest;
            _oldest = _newer[position];
            _positions.Remove(_keys[position]);
        }

        _keys[position] = key;
        if (_positions.Count == 0)
        {
            _newest = position;
            _oldest = position;
        }
        else
        {
            Append(position);
        }

        _positions.Add(key, position);
    }

    private void Append(int position)
    {
        _newer[_newest] = position;
        _older[position] = _newest;
        _newest = position;
    }
}
