using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace BufferedMessages.Memory;

/// <summary>A record in memory that other processes map too: its address, and through that the record in place.</summary>
/// <typeparam name="T">The type of the record. Each field that is shared has a size that the processor reads and writes at once, and none is a reference.</typeparam>
/// <remarks>
/// The address is computed once, where the bounds are known. A record can then be held in a field, as a <c>ref</c> cannot. The creator keeps the memory
/// mapped as long as the record is used. The type parameter has no constraint: with one, precompiled code would leave out the structs of numbers,
/// and the words of a queue would be read by calls of methods that are compiled when the program starts.
/// </remarks>
internal readonly unsafe struct SharedRecord<T>
{
    private readonly byte* _address;

    /// <param name="address">The first byte, aligned for <typeparamref name="T"/>.</param>
    public SharedRecord(byte* address)
    {
        Debug.Assert(address is not null, "A record has an address.");
        Debug.Assert(!RuntimeHelpers.IsReferenceOrContainsReferences<T>(), "A record in shared memory has no references.");
        Debug.Assert((nuint)address % Math.Min((nuint)Unsafe.SizeOf<T>(), sizeof(ulong)) == 0, "A record is aligned, so that its words are read and written at once.");
        _address = address;
    }

    /// <summary>A part of a record, for example one word, to be held.</summary>
    /// <param name="part">A part of mapped memory, or of memory that the garbage collector does not move.</param>
    // SAFETY: the memory does not move, and its owner keeps it as long as the record is used.
    public static SharedRecord<T> Of(ref T part) => new((byte*)Unsafe.AsPointer(ref part));

    /// <summary>The record in place.</summary>
    public ref T Value
    {
        // SAFETY: the creator of the record checked the address and keeps its memory mapped; the default value has none and is never used.
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => ref Unsafe.AsRef<T>(_address);
    }
}
