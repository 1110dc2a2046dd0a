using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace BufferedMessages.Wire;

/// <summary>
/// Adds up the exact size of a message: the same steps in the same order as <see cref="MessageWriter"/>, without the bytes. For generated code.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public ref struct MessageSize
{
    private long _end;

    /// <summary>Begins with the header and the root block.</summary>
    /// <param name="blockBytes">Size of the root block in bytes.</param>
    public MessageSize(int blockBytes) => _end = WireFormat.HeaderBytes + blockBytes;

    /// <summary>The size of the message in bytes, a multiple of 8.</summary>
    /// <exception cref="MessageTooLargeException">It would pass 2,147,483,647 bytes.</exception>
    public readonly int Total()
    {
        var total = WireFormat.Align(_end, WireFormat.WordBytes);
        if (total > int.MaxValue)
        {
            throw new MessageTooLargeException(
                $"The message would take {total} bytes; a message has at most {int.MaxValue}. Split it into several messages.",
                total,
                int.MaxValue);
        }

        return (int)total;
    }

    /// <summary>Adds a string that may be null.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void AddString(string? value)
    {
        if (value is not null)
        {
            AddBytes(Utf8Text.CountBytes(value));
        }
    }

    /// <summary>Adds a binary.</summary>
    public void AddBinary(ReadOnlySpan<byte> value) => AddBytes(value.Length);

    /// <summary>Adds the block of a nested message.</summary>
    /// <param name="blockBytes">Size of its block in bytes.</param>
    /// <param name="depth">How deep it is nested; the root is 1.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void AddMessage(int blockBytes, int depth)
    {
        DepthLimit.Check(depth);
        _end = WireFormat.Align(_end, WireFormat.WordBytes) + blockBytes;
    }

    /// <summary>Adds a list of fixed-size values.</summary>
    public void AddValues<T>(ReadOnlySpan<T> values)
        where T : unmanaged
    {
        if (!values.IsEmpty)
        {
            _end = WireFormat.Align(_end, WireValue.AlignmentOf<T>()) + ((long)values.Length * Unsafe.SizeOf<T>());
        }
    }

    /// <summary>Adds a list of fixed-size values that may be null.</summary>
    public void AddNullables<T>(ReadOnlySpan<T?> values)
        where T : unmanaged
    {
        if (!values.IsEmpty)
        {
            _end = WireFormat.Align(_end, WireFormat.WordBytes)
                + ListLayout.ValuesOffset(values.Length, WireValue.AlignmentOf<T>())
                + ((long)values.Length * Unsafe.SizeOf<T>());
        }
    }

    /// <summary>Adds a list of strings.</summary>
    public void AddStrings(ReadOnlySpan<string?> values)
    {
        AddSlots(values.Length);
        foreach (var value in values)
        {
            AddString(value);
        }
    }

    /// <summary>Adds the slots of a list; its elements are added next.</summary>
    public void AddSlots(int count)
    {
        if (count != 0)
        {
            _end = WireFormat.Align(_end, WireFormat.WordBytes) + ((long)count * WireFormat.SlotBytes);
        }
    }

    /// <summary>Adds header, presence bitmap and blocks of a list of messages; its elements' payloads are added next.</summary>
    /// <param name="elements">The elements; null ones count too.</param>
    /// <param name="blockBytes">Size of an element's block in bytes.</param>
    /// <param name="depth">How deep the elements are nested; the root is 1.</param>
    public void AddMessages<T>(ReadOnlySpan<T> elements, int blockBytes, int depth)
    {
        if (!elements.IsEmpty)
        {
            DepthLimit.Check(depth);
            var bitmapBytes = SourceElements.ContainsNull(elements) ? ListLayout.ValuesOffset(elements.Length, WireFormat.WordBytes) : 0;
            _end = WireFormat.Align(_end, WireFormat.WordBytes)
                + WireFormat.MessageListHeaderBytes
                + bitmapBytes
                + ((long)elements.Length * blockBytes);
        }
    }

    private void AddBytes(int count)
    {
        if (count > WireFormat.MaxInlineBytes)
        {
            _end += count;
        }
    }
}
