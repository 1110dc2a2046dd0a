using System.ComponentModel;

namespace BufferedMessages.Wire;

/// <summary>
/// How the elements of a list are stored, without the slot that points to them: so a dictionary can hold the same payloads. Kinds are
/// composed of structs that implement it, so that the JIT compiles each composition for itself. For generated code.
/// </summary>
/// <typeparam name="T">The C# type of an element.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IListElements<T>
{
    /// <summary>Whether the payload is of the same size in whatever order the elements come.</summary>
    static abstract bool AreOfOneSizeInAnyOrder { get; }

    /// <summary>Adds the payload.</summary>
    /// <param name="elements">At least one element.</param>
    /// <param name="size">What to add to.</param>
    /// <param name="depth">How deep the message around the list is nested; the root is 1.</param>
    static abstract void AddSize(scoped ReadOnlySpan<T> elements, ref MessageSize size, int depth);

    /// <summary>Appends the payload.</summary>
    /// <param name="elements">At least one element.</param>
    /// <param name="writer">What to write with.</param>
    /// <param name="depth">How deep the message around the list is nested; the root is 1.</param>
    /// <returns>Position of the payload.</returns>
    static abstract int Append(scoped ReadOnlySpan<T> elements, ref MessageWriter writer, int depth);

    /// <summary>Copies the elements.</summary>
    /// <param name="reader">The walk over the message.</param>
    /// <param name="place">The list; never null.</param>
    static abstract T[] Read(ref ObjectReader reader, ListPlace place);
}
