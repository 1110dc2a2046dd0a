using System.ComponentModel;

namespace BufferedMessages.Wire;

/// <summary>A list of what lies behind slots: strings, binaries, unions, lists, sets or dictionaries. For generated code.</summary>
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
