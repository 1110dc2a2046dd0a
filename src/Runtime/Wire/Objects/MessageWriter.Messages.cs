using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace BufferedMessages.Wire;

/// <content>Nested messages and unions, alone and in lists.</content>
public ref partial struct MessageWriter
{
    /// <summary>Appends a nested message and writes its slot; null leaves the slot zero.</summary>
    /// <param name="container">Position of the block that holds the slot.</param>
    /// <param name="offset">Offset of the slot in it.</param>
    /// <param name="source">The message.</param>
    /// <param name="depth">How deep the message around it is nested; the root is 1.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteMessage<TSource, TBlock>(int container, int offset, TSource? source, int depth)
        where TBlock : IMessageBlock<TSource>
    {
        if (SourceElements.IsPresent(in source))
        {
            WriteCase<TSource, TBlock>(container, offset, number: 0, source, depth);
        }
    }

    /// <summary>Appends a union and writes its slot; null leaves the slot zero.</summary>
    /// <param name="container">Position of the block or slot array that holds the slot.</param>
    /// <param name="offset">Offset of the slot in it.</param>
    /// <param name="source">An object of one of the cases.</param>
    /// <param name="depth">How deep the message around it is nested; the root is 1.</param>
    /// <exception cref="UndeclaredCaseException">The object is not of a declared case.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteUnion<TUnion, TCases>(int container, int offset, TUnion? source, int depth)
        where TCases : IUnionCases<TUnion>
    {
        if (SourceElements.IsPresent(in source))
        {
            TCases.Write(SourcePlace.Of(in source), ref this, container, offset, depth);
        }
    }

    /// <summary>Appends the message of a union's case, or a nested message, and writes its slot.</summary>
    /// <param name="container">Position of the block or slot array that holds the slot.</param>
    /// <param name="offset">Offset of the slot in it.</param>
    /// <param name="number">The number of the case; 0 for a nested message.</param>
    /// <param name="source">The message; never null.</param>
    /// <param name="depth">How deep the message around it is nested; the root is 1.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteCase<TSource, TBlock>(int container, int offset, ushort number, TSource source, int depth)
        where TBlock : IMessageBlock<TSource>
    {
        DepthLimit.Check(depth + 1);
        var block = ClaimBlock(TBlock.Bytes);
        WriteSlot(container, offset, block, (number << 16) | (TBlock.Bytes / WireFormat.WordBytes));
        TBlock.Write(SourcePlace.Of(in source), ref this, block, depth + 1);
    }

    /// <summary>Appends a list of messages and writes its slot.</summary>
    /// <param name="container">Position of the block or slot array that holds the list's slot.</param>
    /// <param name="offset">Offset of the slot in it.</param>
    /// <param name="elements">The messages; the default span is null and leaves the slot zero, another empty one is an empty list.</param>
    /// <param name="depth">How deep the message around the list is nested; the root is 1.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteMessages<TSource, TBlock>(int container, int offset, scoped ReadOnlySpan<TSource> elements, int depth)
        where TBlock : IMessageBlock<TSource>
    {
        if (elements.IsEmpty)
        {
            WriteNullOrEmpty(container, offset, elements);
            return;
        }

        WriteSlot(container, offset, AppendMessages<TSource, TBlock>(elements, depth), elements.Length);
    }

    /// <summary>Appends messages, at least one.</summary>
    /// <returns>Position of the list's header.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal int AppendMessages<TSource, TBlock>(scoped ReadOnlySpan<TSource> elements, int depth)
        where TBlock : IMessageBlock<TSource>
    {
        var list = AppendBlocks(elements, TBlock.Bytes, depth + 1, out var block);
        if (typeof(TSource).IsValueType)
        {
            WriteBlocks<TSource, TBlock>(elements, block, depth + 1);
        }
        else
        {
            // Code for objects is the same for all classes, and looks nothing up.
            WriteBlocks<object?, TBlock>(SourcePlaces.Of(elements).As<object?>(), block, depth + 1);
        }

        return list;
    }

    // Each block is cleared when it is written, while it is in the cache. In a method of its own, the loop keeps its counters in registers.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void WriteBlocks<TSource, TBlock>(scoped ReadOnlySpan<TSource> elements, int block, int depth)
        where TBlock : IMessageBlock
    {
        foreach (ref readonly var element in elements)
        {
            Unsafe.InitBlockUnaligned(ref Unsafe.Add(ref _start, block), 0, (uint)TBlock.Bytes);
            if (SourceElements.IsPresent(in element))
            {
                TBlock.Write(SourcePlace.Of(in element), ref this, block, depth);
            }

            block += TBlock.Bytes;
        }
    }

    // Writes header and presence bitmap of a list of messages, and claims the blocks of its elements. Inlined: a call would have to
    // look up the types.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int AppendBlocks<T>(scoped ReadOnlySpan<T> elements, int blockBytes, int depth, out int firstBlock)
    {
        DepthLimit.Check(depth);
        var hasBitmap = SourceElements.ContainsNull(elements);
        var list = ClaimBlocks(elements.Length, blockBytes, hasBitmap, out firstBlock);
        if (hasBitmap)
        {
            for (var i = 0; i < elements.Length; i++)
            {
                if (SourceElements.IsPresent(in elements[i]))
                {
                    SetPresent(list + WireFormat.MessageListHeaderBytes, i);
                }
            }
        }

        return list;
    }

    private int ClaimBlocks(int count, int blockBytes, bool hasBitmap, out int firstBlock)
    {
        Debug.Assert(count > 0 && blockBytes > 0, "An empty list claims no blocks.");
        var blocksOffset = WireFormat.MessageListHeaderBytes + (hasBitmap ? ListLayout.ValuesOffset(count, WireFormat.WordBytes) : 0);
        var list = Claim(blocksOffset + ((long)count * blockBytes), WireFormat.WordBytes);
        ref var header = ref Unsafe.Add(ref _start, list);
        Unsafe.WriteUnaligned(ref header, (ulong)(uint)(blockBytes / WireFormat.WordBytes) | (hasBitmap ? (ulong)WireFormat.MessageListHasBitmap << 16 : 0));
        if (hasBitmap)
        {
            Unsafe.InitBlockUnaligned(ref Unsafe.Add(ref header, WireFormat.MessageListHeaderBytes), 0, (uint)(blocksOffset - WireFormat.MessageListHeaderBytes));
        }

        firstBlock = list + (int)blocksOffset;
        return list;
    }
}
