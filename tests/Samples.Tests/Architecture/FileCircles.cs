namespace BufferedMessages.Samples.Tests.Architecture;

/// <summary>Finds the circles in a graph of files: its strongly connected components of more than one file, by Tarjan's algorithm.</summary>
internal sealed class FileCircles
{
    private readonly Dictionary<string, List<string>> _uses;
    private readonly Dictionary<string, int> _order = new(StringComparer.Ordinal);
    private readonly Stack<string> _open = new();
    private readonly HashSet<string> _isOpen = new(StringComparer.Ordinal);
    private readonly List<IReadOnlyList<string>> _circles = [];

    private FileCircles(Dictionary<string, List<string>> uses) => _uses = uses;

    /// <summary>Finds the circles.</summary>
    /// <param name="uses">The files that each file uses.</param>
    public static IReadOnlyList<IReadOnlyList<string>> Find(Dictionary<string, List<string>> uses)
    {
        var circles = new FileCircles(uses);
        foreach (var file in uses.Keys.Where(file => !circles._order.ContainsKey(file)))
        {
            circles.Visit(file);
        }

        return circles._circles;
    }

    /// <summary>Visits a file, and closes the circle that it begins.</summary>
    /// <returns>The earliest open file that it leads to.</returns>
    private int Visit(string file)
    {
        var index = _order.Count;
        var low = index;
        _order[file] = index;
        _open.Push(file);
        _isOpen.Add(file);
        foreach (var used in _uses.GetValueOrDefault(file, []))
        {
            if (_isOpen.Contains(used))
            {
                low = Math.Min(low, _order[used]);
            }
            else if (!_order.ContainsKey(used))
            {
                low = Math.Min(low, Visit(used));
            }
        }

        if (low == index)
        {
            Close(file);
        }

        return low;
    }

    private void Close(string first)
    {
        List<string> circle = [];
        string file;
        do
        {
            file = _open.Pop();
            _isOpen.Remove(file);
            circle.Add(file);
        }
        while (file != first);

        if (circle.Count > 1)
        {
            _circles.Add(circle);
        }
    }
}
