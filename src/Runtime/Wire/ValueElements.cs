using System.ComponentModel;

namespace BufferedMessages.Wire;

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
