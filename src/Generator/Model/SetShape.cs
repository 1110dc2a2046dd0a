namespace BufferedMessages.Generator.Model;

/// <summary>The C# type of a set.</summary>
internal enum SetShape
{
    /// <summary><see cref="HashSet{T}"/>.</summary>
    Hash,

    /// <summary><see cref="ISet{T}"/>.</summary>
    Interface,

    /// <summary>The read-only interface of sets.</summary>
    ReadOnlyInterface,

    /// <summary><see cref="SortedSet{T}"/>.</summary>
    Sorted,

    /// <summary>An immutable set.</summary>
    Immutable,

    /// <summary>A frozen set.</summary>
    Frozen,
}
