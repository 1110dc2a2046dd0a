using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace BufferedMessages.Memory;

/// <summary>A range of mapped memory. Addresses within it are computed here.</summary>
internal readonly unsafe struct MappedSpan
{
    private readonly byte* _start;

    /// <param name="start">The first byte. The caller keeps the range mapped as long as the span is used.</param>
    /// <param name="length">The number of bytes.</param>
    public MappedSpan(byte* start, long length)
    {
        Debug.Assert(start is not null || length == 0, "A range has an address.");
        Debug.Assert(length >= 0, "A range has a length.");
        _start = start;
        Length = length;
    }

    /// <summary>The number of bytes.</summary>
    public long Length { get; }

    /// <summary>The record at an index of a table.</summary>
    /// <param name="table">The offset of the table.</param>
    /// <param name="index">The index, which the caller has checked.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public SharedRecord<T> Record<T>(long table, int index = 0)
        where T : unmanaged
    {
        // SAFETY: tables lie within the length that the file was opened with, and an index is checked where it comes from shared bytes.
        var offset = table + ((long)index * sizeof(T));
        Debug.Assert(index >= 0 && table >= 0 && offset + sizeof(T) <= Length, "A record lies within its range.");
        return new SharedRecord<T>(_start + offset);
    }

    /// <summary>Bytes of the range.</summary>
    public Span<byte> Bytes(long offset, int length)
    {
        // SAFETY: as for records; the caller's offset and length are constants of the format.
        Debug.Assert(offset >= 0 && length >= 0 && offset + length <= Length, "Bytes lie within their range.");
        return new Span<byte>(_start + offset, length);
    }

    /// <summary>The offset of a part of a record in the range, for messages.</summary>
    public long OffsetOf<T>(ref readonly T part)
    {
        // SAFETY: computes a distance and reads nothing.
        var offset = (long)Unsafe.ByteOffset(ref *_start, ref Unsafe.As<T, byte>(ref Unsafe.AsRef(in part)));
        Debug.Assert(offset >= 0 && offset < Length, "The part lies within the range.");
        return offset;
    }
}
