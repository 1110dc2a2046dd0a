using System.Collections.Frozen;
using System.Collections.Immutable;
using System.ComponentModel;

namespace BufferedMessages.Wire;

/// <summary>The set type of the source. For generated code.</summary>
/// <typeparam name="TSet">The C# type of the set.</typeparam>
/// <typeparam name="T">The C# type of an element.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface ISetShape<TSet, T>
{
    /// <summary>Creates the set from these elements, which it may keep; returns null for null.</summary>
    static abstract TSet? Make(HashSet<T>? elements);
}

/// <summary>All the C# types of sets. For generated code.</summary>
/// <typeparam name="T">The C# type of an element.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct SetShape<T> :
    ISetShape<HashSet<T>, T>,
    ISetShape<ISet<T>, T>,
    ISetShape<IReadOnlySet<T>, T>,
    ISetShape<SortedSet<T>, T>,
    ISetShape<ImmutableHashSet<T>, T>,
    ISetShape<FrozenSet<T>, T>
{
    static HashSet<T>? ISetShape<HashSet<T>, T>.Make(HashSet<T>? elements) => elements;

    static ISet<T>? ISetShape<ISet<T>, T>.Make(HashSet<T>? elements) => elements;

    static IReadOnlySet<T>? ISetShape<IReadOnlySet<T>, T>.Make(HashSet<T>? elements) => elements;

    static SortedSet<T>? ISetShape<SortedSet<T>, T>.Make(HashSet<T>? elements) =>
        elements is null ? null : new SortedSet<T>(elements, SortedKeys.OrderOf<T>());

    static ImmutableHashSet<T>? ISetShape<ImmutableHashSet<T>, T>.Make(HashSet<T>? elements) => elements?.ToImmutableHashSet();

    static FrozenSet<T>? ISetShape<FrozenSet<T>, T>.Make(HashSet<T>? elements) => elements?.ToFrozenSet();
}
