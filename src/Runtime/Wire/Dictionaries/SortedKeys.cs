namespace BufferedMessages.Wire;

/// <summary>The order of keys in the sorted collections of a copy. The comparer of the source is not in the message.</summary>
internal static class SortedKeys
{
    /// <summary>Gets the order of keys of a type: ordinal for strings, whose default order is that of a culture, in which different keys may be equal.</summary>
    public static IComparer<T> OrderOf<T>() =>
        typeof(T) == typeof(string) ? (IComparer<T>)(object)StringComparer.Ordinal : Comparer<T>.Default;
}
