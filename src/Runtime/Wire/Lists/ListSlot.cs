using System.ComponentModel;

namespace BufferedMessages.Wire;

/// <summary>A list in a slot. For generated code.</summary>
/// <typeparam name="TList">The C# type of the list.</typeparam>
/// <typeparam name="T">The C# type of an element.</typeparam>
/// <typeparam name="TShape">Turns the list into elements and back.</typeparam>
/// <typeparam name="TElements">How the elements are stored.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct ListSlot<TList, T, TShape, TElements> : ISlot<TList?>
    where TShape : IListShape<TList, T>
    where TElements : IListElements<T>
{
    /// <inheritdoc/>
    public static void AddSize(scoped SourcePlace value, ref MessageSize size, int depth)
    {
        var elements = TShape.ElementsOf(value.Get<TList?>());
        size.AddList<T, TElements>(elements.Span, depth);
        elements.Dispose();
    }

    /// <inheritdoc/>
    public static void Write(scoped SourcePlace value, ref MessageWriter writer, int container, int offset, int depth)
    {
        var elements = TShape.ElementsOf(value.Get<TList?>());
        writer.WriteList<T, TElements>(container, offset, elements.Span, depth);
        elements.Dispose();
    }

    /// <inheritdoc/>
    public static TList? Read(ref ObjectReader reader, BlockReader block, int offset) => TShape.Make(reader.ReadList<T, TElements>(block, offset));
}
