using System.ComponentModel;

namespace BufferedMessages.Wire;

/// <summary>A string behind a slot. For generated code.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct TextSlot : ISlot<string?>
{
    /// <inheritdoc/>
    public static bool AreOfOneSizeInAnyOrder => true;

    /// <inheritdoc/>
    public static void AddSize(string? value, ref MessageSize size, int depth) => size.AddString(value);

    /// <inheritdoc/>
    public static void Write(string? value, ref MessageWriter writer, int container, int offset, int depth) => writer.WriteString(container, offset, value);

    /// <inheritdoc/>
    public static string? Read(ref ObjectReader reader, BlockReader block, int offset) => reader.ReadString(block, offset);
}
