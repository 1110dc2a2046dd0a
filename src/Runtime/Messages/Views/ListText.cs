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
    private const string Null = "null";
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

    /// <summary>One line, truncated to a maximum length. No more elements are read than it shows: those of damaged bytes may all be the same long text.</summary>
    public static string Line<TList, TElement>(TList list)
        where TList : IBufferedList<TList, TElement>, allows ref struct
        where TElement : allows ref struct
    {
        if (list.IsNull)
        {
            return Null;
        }

        var line = new StringBuilder().Append('[');
        for (var i = 0; i < list.Count && line.Length < MaxLength; i++)
        {
            AppendSeparator(line, i);
            Append(line, list.TextAt(i));
        }

        return End(line, ']');
    }

    /// <summary>The entries of a dictionary in one line, truncated to a maximum length.</summary>
    public static string Line<TKeys, TKey, TValues, TValue>(TKeys keys, TValues values)
        where TKeys : IBufferedList<TKeys, TKey>, allows ref struct
        where TKey : allows ref struct
        where TValues : IBufferedList<TValues, TValue>, allows ref struct
        where TValue : allows ref struct
    {
        if (keys.IsNull)
        {
            return Null;
        }

        var line = new StringBuilder().Append('{');
        for (var i = 0; i < keys.Count && line.Length < MaxLength; i++)
        {
            AppendSeparator(line, i);
            Append(line, keys.TextAt(i));
            Append(line, ": ");
            Append(line, values.TextAt(i));
        }

        return End(line, '}');
    }

    private static void AppendSeparator(StringBuilder line, int index) => line.Append(index == 0 ? "" : ", ");

    private static void Append(StringBuilder line, string text) => line.Append(text.AsSpan(0, Math.Min(text.Length, MaxLength)));

    private static string End(StringBuilder line, char close)
    {
        if (line.Length >= MaxLength)
        {
            line.Length = MaxLength;
            line.Append(Cut);
        }

        return line.Append(close).ToString();
    }
}
