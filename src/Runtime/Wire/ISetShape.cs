using System.ComponentModel;

namespace BufferedMessages.Wire;

/// <summary>Makes the set type of the source. For generated code.</summary>
/// <typeparam name="TSet">The C# type of the set.</typeparam>
/// <typeparam name="T">The C# type of an element.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface ISetShape<TSet, T>
{
    /// <summary>The set of these elements, which it may keep; null gives null.</summary>
    static abstract TSet? Make(HashSet<T>? elements);
}
