using System.ComponentModel;
using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace BufferedMessages.Wire;

/// <summary>
/// The sum of the exact size of a message: the same steps in the same order as <see cref="MessageWriter"/>, without the bytes. For generated code.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public ref partial struct MessageSize
{
    private long _end;
    private int _alignments;

    private MessageSize(int blockBytes) => _end = WireFormat.HeaderBytes + blockBytes;

    /// <summary>Calculates the size of a message in bytes, a multiple of 8.</summary>
    /// <exception cref="MessageTooLargeException">It would exceed 2,147,483,647 bytes.</exception>
    /// <exception cref="MessageTooDeepException">Messages are nested more than 64 deep, or contain themselves.</exception>
    public static int Of<TSource, TBlock>(TSource source)
        where TBlock : IMessageBlock<TSource>
    {
        var size = new MessageSize(TBlock.Bytes);
        TBlock.AddSize(SourcePlace.Of(in source), ref size, depth: 1);
        var total = WireFormat.Align(size._end, WireFormat.WordBytes);
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
    public void AddBinary(scoped ReadOnlySpan<byte> value) => AddBytes(value.Length);

    /// <summary>Adds a nested message that may be null.</summary>
    /// <param name="source">The message.</param>
    /// <param name="depth">How deep the message around it is nested; the root is 1.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void AddMessage<TSource, TBlock>(TSource? source, int depth)
        where TBlock : IMessageBlock<TSource>
    {
        if (SourceElements.IsPresent(in source))
        {
            AddCase<TSource, TBlock>(source, depth);
        }
    }

    /// <summary>Adds a union that may be null.</summary>
    /// <param name="source">An object of one of the cases.</param>
    /// <param name="depth">How deep the message around it is nested; the root is 1.</param>
    /// <exception cref="UndeclaredCaseException">The object is not of a declared case.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void AddUnion<TUnion, TCases>(TUnion? source, int depth)
        where TCases : IUnionCases<TUnion>
    {
        if (SourceElements.IsPresent(in source))
        {
            TCases.AddSize(SourcePlace.Of(in source), ref this, depth);
        }
    }

    /// <summary>Adds the message of a union's case, or a nested message.</summary>
    /// <param name="source">The message; never null.</param>
    /// <param name="depth">How deep the message around it is nested; the root is 1.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void AddCase<TSource, TBlock>(TSource source, int depth)
        where TBlock : IMessageBlock<TSource>
    {
        DepthLimit.Check(depth + 1);
        Align(WireFormat.WordBytes);
        _end += TBlock.Bytes;
        TBlock.AddSize(SourcePlace.Of(in source), ref this, depth + 1);
    }

    /// <summary>Adds a list of messages that may be null.</summary>
    /// <param name="elements">The messages.</param>
    /// <param name="depth">How deep the message around the list is nested; the root is 1.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void AddMessages<TSource, TBlock>(scoped ReadOnlySpan<TSource> elements, int depth)
        where TBlock : IMessageBlock<TSource>
    {
        AddBlocks(elements, TBlock.Bytes, depth + 1);

        // A local: it stays in registers if the block's code is inlined.
        var size = this;
        foreach (ref readonly var element in elements)
        {
            if (SourceElements.IsPresent(in element))
            {
                TBlock.AddSize(SourcePlace.Of(in element), ref size, depth + 1);
            }
        }

        this = size;
    }

    /// <summary>Adds a list of fixed-size values.</summary>
    public void AddValues<T>(scoped ReadOnlySpan<T> values)
        where T : unmanaged
    {
        if (!values.IsEmpty)
        {
            Align(WireValue.AlignmentOf<T>());
            _end += (long)values.Length * Unsafe.SizeOf<T>();
        }
    }

    /// <summary>Adds a list of fixed-size values that may be null.</summary>
    public void AddNullables<T>(scoped ReadOnlySpan<T?> values)
        where T : unmanaged
    {
        if (!values.IsEmpty)
        {
            Align(WireFormat.WordBytes);
            _end += ListLayout.ValuesOffset(values.Length, WireValue.AlignmentOf<T>()) + ((long)values.Length * Unsafe.SizeOf<T>());
        }
    }

    /// <summary>Adds a list of strings.</summary>
    public void AddStrings(scoped ReadOnlySpan<string?> values)
    {
        AddSlots(values.Length);
        foreach (var value in values)
        {
            AddString(value);
        }
    }

    /// <summary>Adds a list of elements of any kind.</summary>
    /// <param name="elements">The elements.</param>
    /// <param name="depth">How deep the message around the list is nested; the root is 1.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void AddList<T, TElements>(scoped ReadOnlySpan<T> elements, int depth)
        where TElements : IListElements<T>
    {
        if (!elements.IsEmpty)
        {
            TElements.AddSize(SourcePlaces.Of(elements), ref this, depth);
        }
    }

    /// <summary>Adds a list whose elements need not be in one piece.</summary>
    /// <param name="source">The list; it may be null.</param>
    /// <param name="depth">How deep the message around the list is nested; the root is 1.</param>
    public void AddSequence<T, TElements>(IEnumerable<T>? source, int depth)
        where TElements : IListElements<T>
    {
        using var elements = SourceElements.OfSequence(source);
        AddList<T, TElements>(elements.Span, depth);
    }

    /// <summary>Adds an array of slots; their payloads are added next.</summary>
    internal void AddSlots(int count)
    {
        Debug.Assert(count >= 0, "A list has no negative count.");
        if (count != 0)
        {
            Align(WireFormat.WordBytes);
            _end += (long)count * WireFormat.SlotBytes;
        }
    }

    // Header, presence bitmap and blocks of a list of messages. Inlined: a call would have to look up the types.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void AddBlocks<T>(scoped ReadOnlySpan<T> elements, int blockBytes, int depth)
    {
        Debug.Assert(blockBytes > 0 && depth > 0, "A message has a block, and the root has depth 1.");
        if (!elements.IsEmpty)
        {
            DepthLimit.Check(depth);
            var bitmapBytes = SourceElements.ContainsNull(elements) ? ListLayout.ValuesOffset(elements.Length, WireFormat.WordBytes) : 0;
            Align(WireFormat.WordBytes);
            _end += WireFormat.MessageListHeaderBytes + bitmapBytes + ((long)elements.Length * blockBytes);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Align(int alignment)
    {
        _end = WireFormat.Align(_end, alignment);
        _alignments++;
    }

    private void AddBytes(int count)
    {
        Debug.Assert(count >= 0, "A payload has no negative length.");
        if (count > WireFormat.MaxInlineBytes)
        {
            _end += count;
        }
    }
}
