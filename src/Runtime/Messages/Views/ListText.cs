using System.Text;

namespace BufferedMessages;

/// <summary>The text of lists and dictionaries for people, and their items for the debugger.</summary>
internal static class ListText
{
    /// <summary>How a debugger shows a list.</summary>
    public const string Display = "{ToString(),nq}";

    // More is not read, and a list may be as long as a message is large.
    private const int MaxItems = 1000;
    private const int MaxLength = 1000;
    private const string Cut = "...";

    /// <summary>The items, the first thousand of them.</summary>
    public static string[] Items<TList, TElement>(TList list)
        where TList : IBufferedList<TList, TElement>, allows ref struct
        where TElement : allows ref struct
    {
        var items = new string[Math.Min(list.Count, MaxItems)];
        for (var i = 0; i < items.Length; i++)
        {
            items[i] = list.TextAt(i);
        }

        return items;
    }

    /// <summary>The entries, the first thousand of them.</summary>
    public static string[] Entries<TKeys, TKey, TValues, TValue>(TKeys keys, TValues values)
        where TKeys : IBufferedList<TKeys, TKey>, allows ref struct
        where TKey : allows ref struct
        where TValues : IBufferedList<TValues, TValue>, allows ref struct
        where TValue : allows ref struct =>
        [.. Items<TKeys, TKey>(keys).Zip(Items<TValues, TValue>(values), static (key, value) => key + ": " + value)];

    /// <summary>One line, cut at a length.</summary>
    public static string Line(bool isNull, int count, string[] items, char open = '[', char close = ']')
    {
        if (isNull)
        {
            return "null";
        }

        var line = new StringBuilder().Append(open);
        for (var i = 0; i < items.Length && line.Length < MaxLength; i++)
        {
            line.Append(i == 0 ? "" : ", ").Append(items[i]);
        }

        if (line.Length >= MaxLength || count > items.Length)
        {
            line.Length = Math.Min(line.Length, MaxLength);
            line.Append(Cut);
        }

        return line.Append(close).ToString();
    }
}
