using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.ComponentModel;

namespace BufferedMessages.Wire;

/// <summary>
/// The conversion of the dictionary or set that <see cref="ObjectReader"/> made into the type of the source. The comparer of the source is not in the
/// message: strings are compared ordinally. For generated code.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class CopiedEntries
{
    /// <summary>Makes a sorted dictionary of the entries, or null.</summary>
    public static SortedDictionary<TKey, TValue>? ToSortedDictionary<TKey, TValue>(Dictionary<TKey, TValue>? entries)
        where TKey : notnull
        => entries is null ? null : new SortedDictionary<TKey, TValue>(entries, OrderOf<TKey>());

    /// <summary>Makes a concurrent dictionary of the entries, or null.</summary>
    public static ConcurrentDictionary<TKey, TValue>? ToConcurrentDictionary<TKey, TValue>(Dictionary<TKey, TValue>? entries)
        where TKey : notnull
        => entries is null ? null : new ConcurrentDictionary<TKey, TValue>(entries);

    /// <summary>Makes an immutable dictionary of the entries, or null.</summary>
    public static ImmutableDictionary<TKey, TValue>? ToImmutableDictionary<TKey, TValue>(Dictionary<TKey, TValue>? entries)
        where TKey : notnull
        => entries?.ToImmutableDictionary();

    /// <summary>Makes an immutable sorted dictionary of the entries, or null.</summary>
    public static ImmutableSortedDictionary<TKey, TValue>? ToImmutableSortedDictionary<TKey, TValue>(Dictionary<TKey, TValue>? entries)
        where TKey : notnull
        => entries?.ToImmutableSortedDictionary(OrderOf<TKey>());

    /// <summary>Makes a frozen dictionary of the entries, or null.</summary>
    public static FrozenDictionary<TKey, TValue>? ToFrozenDictionary<TKey, TValue>(Dictionary<TKey, TValue>? entries)
        where TKey : notnull
        => entries?.ToFrozenDictionary();

    /// <summary>Makes a sorted set of the elements, or null.</summary>
    public static SortedSet<T>? ToSortedSet<T>(HashSet<T>? elements) => elements is null ? null : new SortedSet<T>(elements, OrderOf<T>());

    /// <summary>Makes an immutable set of the elements, or null.</summary>
    public static ImmutableHashSet<T>? ToImmutableHashSet<T>(HashSet<T>? elements) => elements?.ToImmutableHashSet();

    /// <summary>Makes a frozen set of the elements, or null.</summary>
    public static FrozenSet<T>? ToFrozenSet<T>(HashSet<T>? elements) => elements?.ToFrozenSet();

    // The default order of strings is that of a culture, in which different keys may be equal.
    private static IComparer<T> OrderOf<T>() =>
        typeof(T) == typeof(string) ? (IComparer<T>)(object)StringComparer.Ordinal : Comparer<T>.Default;
}
