using System.ComponentModel;

namespace BufferedMessages.Wire;

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
