using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace BufferedMessages.Wire;

/// <summary>
/// The storage of the elements of a list, without the slot that points to them, so that a dictionary can hold the same payloads. Kinds are
/// composed of structs that implement it, so that the JIT compiles each composition for itself. For generated code.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IListElements
{
    /// <summary>Adds the payload.</summary>
    /// <param name="elements">Where the elements are; at least one.</param>
    /// <param name="size">The size to add to.</param>
    /// <param name="depth">How deep the message around the list is nested; the root is 1.</param>
    static abstract void AddSize(scoped SourcePlaces elements, ref MessageSize size, int depth);

    /// <summary>Appends the payload.</summary>
    /// <param name="elements">Where the elements are; at least one.</param>
    /// <param name="writer">The writer of the message.</param>
    /// <param name="depth">How deep the message around the list is nested; the root is 1.</param>
    /// <returns>Position of the payload.</returns>
    static abstract int Append(scoped SourcePlaces elements, ref MessageWriter writer, int depth);
}

/// <summary>The storage of the elements of a list of a type. For generated code.</summary>
/// <typeparam name="T">The C# type of an element.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IListElements<T> : IListElements
{
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
    public static void AddSize(scoped SourcePlaces elements, ref MessageSize size, int depth) => size.AddValues(elements.As<T>());

    /// <inheritdoc/>
    public static int Append(scoped SourcePlaces elements, ref MessageWriter writer, int depth) => writer.AppendValues(elements.As<T>(), padding: default);

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
    public static void AddSize(scoped SourcePlaces elements, ref MessageSize size, int depth) => size.AddNullables(elements.As<T?>());

    /// <inheritdoc/>
    public static int Append(scoped SourcePlaces elements, ref MessageWriter writer, int depth) => writer.AppendNullables(elements.As<T?>(), padding: default);

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
    public static void AddSize(scoped SourcePlaces elements, ref MessageSize size, int depth) => size.AddValues(elements.As<T>());

    /// <inheritdoc/>
    public static int Append(scoped SourcePlaces elements, ref MessageWriter writer, int depth) => writer.AppendValues(elements.As<T>(), TPadding.Pairs);

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
    public static void AddSize(scoped SourcePlaces elements, ref MessageSize size, int depth) => size.AddNullables(elements.As<T?>());

    /// <inheritdoc/>
    public static int Append(scoped SourcePlaces elements, ref MessageWriter writer, int depth) => writer.AppendNullables(elements.As<T?>(), TPadding.Pairs);

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
    public static void AddSize(scoped SourcePlaces elements, ref MessageSize size, int depth) => size.AddMessages<TSource, TBlock>(elements.As<TSource>(), depth);

    /// <inheritdoc/>
    public static int Append(scoped SourcePlaces elements, ref MessageWriter writer, int depth) =>
        writer.AppendMessages<TSource, TBlock>(elements.As<TSource>(), depth);

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
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void AddSize(scoped SourcePlaces elements, ref MessageSize size, int depth)
    {
        size.AddSlots(elements.Count);
        foreach (ref readonly var element in elements.As<T>())
        {
            TSlot.AddSize(SourcePlace.Of(in element), ref size, depth);
        }
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Append(scoped SourcePlaces elements, ref MessageWriter writer, int depth)
    {
        var slots = writer.ClaimSlots(elements.Count);
        var offset = 0;
        foreach (ref readonly var element in elements.As<T>())
        {
            TSlot.Write(SourcePlace.Of(in element), ref writer, slots, offset, depth);
            offset += WireFormat.SlotBytes;
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
