using System.ComponentModel;

namespace BufferedMessages.Wire;

/// <summary>The conversion of the array, dictionary or set that <see cref="ObjectReader"/> made into the type of the source. For generated code.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class CollectionCopy
{
    /// <summary>Creates the list or the binary from these elements, which it may keep; returns its null for null.</summary>
    public static TList? ToList<TList, T, TShape>(T[]? elements)
        where TShape : IListShape<TList, T>
        => TShape.Make(elements);

    /// <summary>Creates the dictionary from these entries, which it may keep; returns null for null.</summary>
    public static TDictionary? ToDictionary<TDictionary, TKey, TValue, TShape>(Dictionary<TKey, TValue>? entries)
        where TKey : notnull
        where TShape : IDictionaryShape<TDictionary, TKey, TValue>
        => TShape.Make(entries);

    /// <summary>Creates the set from these elements, which it may keep; returns null for null.</summary>
    public static TSet? ToSet<TSet, T, TShape>(HashSet<T>? elements)
        where TShape : ISetShape<TSet, T>
        => TShape.Make(elements);
}
