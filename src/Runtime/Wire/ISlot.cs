using System.ComponentModel;

namespace BufferedMessages.Wire;

/// <summary>How one value is stored behind a slot. Kinds are composed of structs that implement it. For generated code.</summary>
/// <typeparam name="T">The C# type of the value.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface ISlot<T>
{
    /// <inheritdoc cref="IListElements{T}.AreOfOneSizeInAnyOrder"/>
    static abstract bool AreOfOneSizeInAnyOrder { get; }

    /// <summary>Adds the payload of a value that may be null.</summary>
    /// <param name="value">The value.</param>
    /// <param name="size">What to add to.</param>
    /// <param name="depth">How deep the message around it is nested; the root is 1.</param>
    static abstract void AddSize(T value, ref MessageSize size, int depth);

    /// <summary>Appends the payload and writes the slot; null leaves the slot zero.</summary>
    /// <param name="value">The value.</param>
    /// <param name="writer">What to write with.</param>
    /// <param name="container">Position of the block or slot array that holds the slot.</param>
    /// <param name="offset">Offset of the slot in it.</param>
    /// <param name="depth">How deep the message around it is nested; the root is 1.</param>
    static abstract void Write(T value, ref MessageWriter writer, int container, int offset, int depth);

    /// <summary>Copies the value, or gives null.</summary>
    /// <param name="reader">The walk over the message.</param>
    /// <param name="block">The block or slot array that holds the slot.</param>
    /// <param name="offset">Offset of the slot in it.</param>
    static abstract T Read(ref ObjectReader reader, BlockReader block, int offset);
}
