namespace BufferedMessages.Tool;

/// <summary>The page that a person sees, and the row that is selected. Serves one thread at a time.</summary>
internal sealed class TopView
{
    private const int PageRows = 10;

    /// <summary>Gets the page.</summary>
    public TopPage Page { get; private set; }

    /// <summary>Gets whether the help is shown instead of the page.</summary>
    public bool HasHelp { get; private set; }

    /// <summary>Gets the order of the rows.</summary>
    public TopOrder Order { get; private set; }

    /// <summary>Gets the path of the selected queue or cache; null if there is none.</summary>
    public string? Selected { get; private set; }

    /// <summary>Gets whether the person has ended the view.</summary>
    public bool IsEnded { get; private set; }

    /// <summary>Gives the paths in the order of the rows: queues, then caches.</summary>
    public IReadOnlyList<string> PathsOf(WatchedFolders watched)
    {
        var queues = Order switch
        {
            TopOrder.Rate => watched.Queues.OrderByDescending(static queue => queue.Rates?.Messages ?? 0),
            TopOrder.Lag => watched.Queues.OrderByDescending(static queue => queue.LargestLag),
            TopOrder.Age => watched.Queues.OrderByDescending(static queue => queue.OldestAge),
            _ => watched.Queues.OrderBy(static queue => queue.Name, StringComparer.Ordinal),
        };
        return [.. queues.Select(static queue => queue.Path), .. watched.Caches.Select(static cache => cache.Path)];
    }

    /// <summary>Keeps the selection among the rows that there are, and leaves the page of a queue that is gone.</summary>
    public void Refresh(WatchedFolders watched)
    {
        var paths = PathsOf(watched);
        if (Selected is null || !paths.Contains(Selected, StringComparer.Ordinal))
        {
            Selected = paths.Count > 0 ? paths[0] : null;
            Page = TopPage.List;
        }
    }

    /// <summary>Carries out the command of a key.</summary>
    public void Press(ConsoleKeyInfo key, WatchedFolders watched)
    {
        switch (key.Key, key.KeyChar)
        {
            case (ConsoleKey.Q, _):
                IsEnded = true;
                break;
            case (_, '?'):
                HasHelp = !HasHelp;
                break;
            case (ConsoleKey.Escape, _) when HasHelp:
                HasHelp = false;
                break;
            case (ConsoleKey.Escape, _):
                Page = TopPage.List;
                break;
            case (ConsoleKey.Enter, _):
                Page = Selected is null ? TopPage.List : TopPage.One;
                break;
            case (ConsoleKey.S, _):
                Order = Order == TopOrder.Age ? TopOrder.Name : Order + 1;
                break;
            default:
                Move(StepOf(key), PathsOf(watched));
                break;
        }
    }

    private static int StepOf(ConsoleKeyInfo key) => key.Key switch
    {
        ConsoleKey.DownArrow or ConsoleKey.J => 1,
        ConsoleKey.UpArrow or ConsoleKey.K => -1,
        ConsoleKey.PageDown => PageRows,
        ConsoleKey.PageUp => -PageRows,
        ConsoleKey.Home => -int.MaxValue / 2,
        ConsoleKey.End => int.MaxValue / 2,
        _ => 0,
    };

    private void Move(int step, IReadOnlyList<string> paths)
    {
        if (paths.Count > 0 && step != 0)
        {
            var index = paths.Index().FirstOrDefault(path => path.Item == Selected).Index;
            Selected = paths[Math.Clamp(index + step, 0, paths.Count - 1)];
        }
    }
}

/// <summary>The pages.</summary>
internal enum TopPage
{
    /// <summary>All queues and caches.</summary>
    List,

    /// <summary>The selected one.</summary>
    One,
}

/// <summary>The orders of the rows.</summary>
internal enum TopOrder
{
    /// <summary>By name.</summary>
    Name,

    /// <summary>Most messages a second first.</summary>
    Rate,

    /// <summary>Largest lag first.</summary>
    Lag,

    /// <summary>Oldest unread message first.</summary>
    Age,
}
