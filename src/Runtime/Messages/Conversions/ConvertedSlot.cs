using System.ComponentModel;

namespace BufferedMessages.Wire;

/// <summary>A string or a binary in a slot that a converter makes. For generated code.</summary>
/// <typeparam name="T">The C# type of the value.</typeparam>
/// <typeparam name="TWire">The type that is stored.</typeparam>
/// <typeparam name="TView">Its view.</typeparam>
/// <typeparam name="TConverter">Converts between them.</typeparam>
/// <typeparam name="TSlot">How the stored value is stored.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct ConvertedSlot<T, TWire, TView, TConverter, TSlot> : ISlot<T>
    where TView : IBufferedElement<TView>, allows ref struct
    where TConverter : IWireConverter<T, TWire, TView>
    where TSlot : ISlot
{
    /// <inheritdoc/>
    public static void AddSize(scoped SourcePlace value, ref MessageSize size, int depth)
    {
        var stored = TConverter.ToWire(value.Get<T>());
        TSlot.AddSize(SourcePlace.Of(in stored), ref size, depth);
    }

    /// <inheritdoc/>
    public static void Write(scoped SourcePlace value, ref MessageWriter writer, int container, int offset, int depth)
    {
        var stored = TConverter.ToWire(value.Get<T>());
        TSlot.Write(SourcePlace.Of(in stored), ref writer, container, offset, depth);
    }

    /// <inheritdoc/>
    public static T Read(ref ObjectReader reader, BlockReader block, int offset)
    {
        reader.PassBinary(block, offset);
        return block.ReadConverted<T, TView, TConverter>(offset);
    }
}
