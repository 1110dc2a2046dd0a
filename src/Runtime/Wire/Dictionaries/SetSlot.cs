using System.ComponentModel;

namespace BufferedMessages.Wire;

/// <summary>A set in a slot. For generated code.</summary>
/// <typeparam name="TSet">The C# type of the set.</typeparam>
/// <typeparam name="T">The C# type of an element.</typeparam>
/// <typeparam name="TShape">Creates the set from the copied elements.</typeparam>
/// <typeparam name="TKeys">How the elements are stored.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct SetSlot<TSet, T, TShape, TKeys> : ISlot<TSet?>
    where TSet : class, IEnumerable<T>
    where T : notnull
    where TShape : ISetShape<TSet, T>
    where TKeys : IKeys<T>
{
    /// <inheritdoc/>
    public static void AddSize(scoped SourcePlace value, ref MessageSize size, int depth) => size.AddSet<T, TKeys>(value.Get<TSet?>());

    /// <inheritdoc/>
    public static void Write(scoped SourcePlace value, ref MessageWriter writer, int container, int offset, int depth) =>
        writer.WriteSet<T, TKeys>(container, offset, value.Get<TSet?>());

    /// <inheritdoc/>
    public static TSet? Read(ref ObjectReader reader, BlockReader block, int offset) => TShape.Make(reader.ReadSet<T, TKeys>(block, offset));
}
