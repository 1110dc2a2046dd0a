using System.Buffers;
using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace BufferedMessages.Wire;

/// <summary>
/// The elements of a source's collection: in place, or a copy in a pooled array, which disposing returns. A collection that is null
/// gives the default span, an empty one never does. For generated code.
/// </summary>
/// <typeparam name="T">The C# type of an element.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly ref struct SourceSpan<T> : IDisposable
{
    private readonly T[]? _rented;

    /// <summary>Elements in place.</summary>
    internal SourceSpan(ReadOnlySpan<T> inPlace) => Span = inPlace;

    /// <summary>The first elements of a pooled array.</summary>
    internal SourceSpan(T[] rented, int count)
    {
        _rented = rented;
        Span = new ReadOnlySpan<T>(rented, 0, count);
    }

    /// <summary>The elements.</summary>
    internal ReadOnlySpan<T> Span { get; }

    /// <summary>Returns the array to the pool.</summary>
    public void Dispose()
    {
        if (_rented is { Length: > 0 })
        {
            ArrayPool<T>.Shared.Return(_rented, RuntimeHelpers.IsReferenceOrContainsReferences<T>());
        }
    }
}
