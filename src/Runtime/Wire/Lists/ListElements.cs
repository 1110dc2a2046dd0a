using System.ComponentModel;

namespace BufferedMessages.Wire;

/// <summary>
/// The storage of the elements of a list, without the slot that points to them, so that a dictionary can hold the same payloads. Kinds are
/// composed of structs that implement it, so that the JIT compiles each composition for itself. For generated code.
/// </summary>
/// <typeparam name="T">The C# type of an element.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IListElements<T>
{
    /// <summary>Gets whether the payload is of the same size in any order of the elements.</summary>
    static abstract bool AreOfOneSizeInAnyOrder { get; }

    /// <summary>Adds the payload.</summary>
    /// <param name="elements">At least one element.</param>
    /// <param name="size">The size to add to.</param>
    /// <param name="depth">How deep the message around the list is nested; the root is 1.</param>
    static abstract void AddSize(scoped ReadOnlySpan<T> elements, ref MessageSize size, int depth);

    /// <summary>Appends the payload.</summary>
    /// <param name="elements">At least one element.</param>
    /// <param name="writer">The writer of the message.</param>
    /// <param name="depth">How deep the message around the list is nested; the root is 1.</param>
    /// <returns>Position of the payload.</returns>
    static abstract int Append(scoped ReadOnlySpan<T> elements, ref MessageWriter writer, int depth);

    /// <summary>Copies the elements.</summary>
    /// <param name="reader">The walk over the message.</param>
    /// <param name="place">The list; never null.</param>
    static abstract T[] Read(ref ObjectReader reader, ListPlace place);
}

/// <summary>A list of fixed-size values. For generated code.</summary>
/// <typeparam name="T">The type of the values.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct ValueElements<T> : IListElements<T>
    where T : unmanaged
{
    /// <inheritdoc/>
    public static bool AreOfOneSizeInAnyOrder => true;

    /// <inheritdoc/>
    public static void AddSize(scoped ReadOnlySpan<T> elements, ref MessageSize size, int depth) => size.AddValues(elements);

    /// <inheritdoc/>
    public static int Append(scoped ReadOnlySpan<T> elements, ref MessageWriter writer, int depth) => writer.AppendValues(elements, padding: default);

    /// <inheritdoc/>
    public static T[] Read(ref ObjectReader reader, ListPlace place) => reader.CopyValues<T>(place);
}

/// <summary>A list of fixed-size values that may be null. For generated code.</summary>
/// <typeparam name="T">The type of the values, without the question mark.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct NullableElements<T> : IListElements<T?>
    where T : unmanaged
{
    /// <inheritdoc/>
    public static bool AreOfOneSizeInAnyOrder => true;

    /// <inheritdoc/>
    public static void AddSize(scoped ReadOnlySpan<T?> elements, ref MessageSize size, int depth) => size.AddNullables(elements);

    /// <inheritdoc/>
    public static int Append(scoped ReadOnlySpan<T?> elements, ref MessageWriter writer, int depth) => writer.AppendNullables(elements, padding: default);

    /// <inheritdoc/>
    public static T?[] Read(ref ObjectReader reader, ListPlace place) => reader.CopyNullables<T>(place);
}

/// <summary>A list of structs that have padding. For generated code.</summary>
/// <typeparam name="T">The struct.</typeparam>
/// <typeparam name="TPadding">Its padding.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct PaddedElements<T, TPadding> : IListElements<T>
    where T : unmanaged
    where TPadding : IStructPadding
{
    /// <inheritdoc/>
    public static bool AreOfOneSizeInAnyOrder => true;

    /// <inheritdoc/>
    public static void AddSize(scoped ReadOnlySpan<T> elements, ref MessageSize size, int depth) => size.AddValues(elements);

    /// <inheritdoc/>
    public static int Append(scoped ReadOnlySpan<T> elements, ref MessageWriter writer, int depth) => writer.AppendValues(elements, TPadding.Pairs);

    /// <inheritdoc/>
    public static T[] Read(ref ObjectReader reader, ListPlace place) => reader.CopyValues<T>(place);
}

/// <summary>A list of structs that have padding and may be null. For generated code.</summary>
/// <typeparam name="T">The struct, without the question mark.</typeparam>
/// <typeparam name="TPadding">Its padding.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct PaddedNullableElements<T, TPadding> : IListElements<T?>
    where T : unmanaged
    where TPadding : IStructPadding
{
    /// <inheritdoc/>
    public static bool AreOfOneSizeInAnyOrder => true;

    /// <inheritdoc/>
    public static void AddSize(scoped ReadOnlySpan<T?> elements, ref MessageSize size, int depth) => size.AddNullables(elements);

    /// <inheritdoc/>
    public static int Append(scoped ReadOnlySpan<T?> elements, ref MessageWriter writer, int depth) => writer.AppendNullables(elements, TPadding.Pairs);

    /// <inheritdoc/>
    public static T?[] Read(ref ObjectReader reader, ListPlace place) => reader.CopyNullables<T>(place);
}

/// <summary>A list of messages. For generated code.</summary>
/// <typeparam name="TSource">The source.</typeparam>
/// <typeparam name="TBlock">Its block.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct MessageElements<TSource, TBlock> : IListElements<TSource>
    where TBlock : IReadableBlock<TSource>
{
    /// <inheritdoc/>
    public static bool AreOfOneSizeInAnyOrder => false;

    /// <inheritdoc/>
    public static void AddSize(scoped ReadOnlySpan<TSource> elements, ref MessageSize size, int depth) => size.AddMessages<TSource, TBlock>(elements, depth);

    /// <inheritdoc/>
    public static int Append(scoped ReadOnlySpan<TSource> elements, ref MessageWriter writer, int depth) =>
        writer.AppendMessages<TSource, TBlock>(elements, depth);

    /// <inheritdoc/>
    public static TSource[] Read(ref ObjectReader reader, ListPlace place) => reader.CopyMessages<TSource, TBlock>(place);
}

/// <summary>A list of payloads of slots: strings, binaries, unions, lists, sets or dictionaries. For generated code.</summary>
/// <typeparam name="T">The C# type of an element.</typeparam>
/// <typeparam name="TSlot">How an element is stored.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct SlotElements<T, TSlot> : IListElements<T>
    where TSlot : ISlot<T>
{
    /// <inheritdoc/>
    public static bool AreOfOneSizeInAnyOrder => TSlot.AreOfOneSizeInAnyOrder;

    /// <inheritdoc/>
    public static void AddSize(scoped ReadOnlySpan<T> elements, ref MessageSize size, int depth)
    {
        size.AddSlots(elements.Length);
        foreach (ref readonly var element in elements)
        {
            TSlot.AddSize(element, ref size, depth);
        }
    }

    /// <inheritdoc/>
    public static int Append(scoped ReadOnlySpan<T> elements, ref MessageWriter writer, int depth)
    {
        var slots = writer.ClaimSlots(elements.Length);
        for (var i = 0; i < elements.Length; i++)
        {
            TSlot.Write(elements[i], ref writer, slots, i * WireFormat.SlotBytes, depth);
        }

        return slots;
    }

    /// <inheritdoc/>
    public static T[] Read(ref ObjectReader reader, ListPlace place)
    {
        var slots = reader.PassSlots(place);
        var elements = new T[slots.BlockBytes / WireFormat.SlotBytes];
        for (var i = 0; i < elements.Length; i++)
        {
            elements[i] = TSlot.Read(ref reader, slots, i * WireFormat.SlotBytes);
        }

        return elements;
    }
}
