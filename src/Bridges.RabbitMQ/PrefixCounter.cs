namespace BufferedMessages.Bridges;

/// <summary>Counts numbers from 1 on without a gap, although they may come in any order. One thread adds at a time; any thread reads.</summary>
internal sealed class PrefixCounter
{
    // Numbers that came before a smaller one. Nearly always empty.
    private readonly HashSet<long> _early = [];
    private long _count;

    /// <summary>The number up to which all have come.</summary>
    public long Count => Volatile.Read(ref _count);

    /// <summary>Adds a number; with <paramref name="andBefore"/> also all that are smaller.</summary>
    public void Add(long number, bool andBefore)
    {
        var count = _count;
        if (number <= count)
        {
            return;
        }

        if (!andBefore && number != count + 1)
        {
            _early.Add(number);
            return;
        }

        count = number;
        if (_early.Count > 0)
        {
            _early.RemoveWhere(early => early <= number);
            while (_early.Remove(count + 1))
            {
                count++;
            }
        }

        Volatile.Write(ref _count, count);
    }
}
