namespace BufferedMessages.Generator.Model;

/// <summary>The C# type of a dictionary.</summary>
internal enum DictionaryShape
{
    /// <summary><see cref="Dictionary{TKey, TValue}"/>.</summary>
    Dictionary,

    /// <summary><see cref="IDictionary{TKey, TValue}"/>.</summary>
    Interface,

    /// <summary><see cref="IReadOnlyDictionary{TKey, TValue}"/>.</summary>
    ReadOnlyInterface,

    /// <summary><see cref="SortedDictionary{TKey, TValue}"/>.</summary>
    Sorted,

    /// <summary>A concurrent dictionary.</summary>
    Concurrent,

    /// <summary>An immutable dictionary.</summary>
    Immutable,

    /// <summary>An immutable sorted dictionary.</summary>
    ImmutableSorted,

    /// <summary>A frozen dictionary.</summary>
    Frozen,
}
