using System.ComponentModel;

namespace BufferedMessages.Wire;

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
