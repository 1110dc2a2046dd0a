using System.ComponentModel;

namespace BufferedMessages.Wire;

/// <summary>The cases of a union. Generated code implements it with a struct. For generated code.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IUnionCases
{
    /// <summary>Adds the message of an object's case.</summary>
    /// <param name="source">Where the object is; it is never null.</param>
    /// <param name="size">The size to add to.</param>
    /// <param name="depth">How deep the message around the union is nested; the root is 1.</param>
    /// <exception cref="UndeclaredCaseException">The object is not of a declared case.</exception>
    static abstract void AddSize(scoped SourcePlace source, ref MessageSize size, int depth);

    /// <summary>Appends the message of an object's case and writes the slot.</summary>
    /// <param name="source">Where the object is; it is never null.</param>
    /// <param name="writer">The writer of the message.</param>
    /// <param name="container">Position of the block or slot array that holds the slot.</param>
    /// <param name="offset">Offset of the slot in it.</param>
    /// <param name="depth">How deep the message around the union is nested; the root is 1.</param>
    /// <exception cref="UndeclaredCaseException">The object is not of a declared case.</exception>
    static abstract void Write(scoped SourcePlace source, ref MessageWriter writer, int container, int offset, int depth);
}

/// <summary>The cases of a union of a type. For generated code.</summary>
/// <typeparam name="TUnion">The union.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IUnionCases<TUnion> : IUnionCases
{
    /// <summary>Creates an object of a case.</summary>
    /// <param name="reader">The walk over the message.</param>
    /// <param name="found">The case; never null.</param>
    /// <exception cref="UnknownCaseException">A newer program wrote a case that this one does not know.</exception>
    static abstract TUnion Read(ref ObjectReader reader, CaseReader found);
}

/// <summary>The root block of a message that is a union: it holds only the union's slot. For generated code.</summary>
/// <typeparam name="TUnion">The union.</typeparam>
/// <typeparam name="TCases">Its cases.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct UnionRoot<TUnion, TCases> : IMessageBlock<TUnion>
    where TCases : IUnionCases<TUnion>
{
    /// <inheritdoc/>
    public static int Bytes => WireFormat.SlotBytes;

    /// <inheritdoc/>
    public static void AddSize(scoped SourcePlace source, ref MessageSize size, int depth) => TCases.AddSize(source, ref size, depth);

    /// <inheritdoc/>
    public static void Write(scoped SourcePlace source, ref MessageWriter writer, int block, int depth) =>
        TCases.Write(source, ref writer, block, offset: 0, depth);
}
