using System.ComponentModel;

namespace BufferedMessages.Wire;

/// <summary>Turns a C# collection into the elements of a list and back. For generated code.</summary>
/// <typeparam name="TList">The C# type of the collection.</typeparam>
/// <typeparam name="T">The C# type of an element.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IListShape<TList, T>
{
    /// <summary>The elements; null gives the default span, an empty collection never does.</summary>
    static abstract SourceSpan<T> ElementsOf(TList? source);

    /// <summary>The collection of these elements, which it may keep; null gives its null.</summary>
    static abstract TList? Make(T[]? elements);
}
