using System.Buffers.Binary;
using System.Numerics;
using Microsoft.Win32.SafeHandles;

namespace BufferedMessages.Tool;

/// <summary>A record of a cache, as the walk over a segment finds it.</summary>
/// <param name="File">The segment's file.</param>
/// <param name="Offset">Its offset there.</param>
/// <param name="Sequence">Its sequence number.</param>
/// <param name="IsRemoval">Whether it only says that its key was removed.</param>
/// <param name="ExpiresAt">Milliseconds since 1970; 0 for never.</param>
/// <param name="Fingerprint">The fingerprint of its schema; 0 for bytes.</param>
/// <param name="Key">Its key.</param>
/// <param name="Value">Its value.</param>
/// <param name="Fault">The rule that it breaks; null if it is whole.</param>
internal sealed record CacheRecordFound(
    string File, long Offset, ulong Sequence, bool IsRemoval, long ExpiresAt, ulong Fingerprint, byte[] Key, byte[] Value, string? Fault);

/// <summary>The walk over the records of a segment's file.</summary>
internal sealed class CacheSegmentFile : IDisposable
{
    private const int HeaderBytes = 64;
    private const int RecordHeaderBytes = 48;
    private const int SlidingBytes = 16;
    private const int LengthStart = 32;
    private const int Alignment = 16;
    private const uint Committed = 2;
    private const uint Padding = 3;
    private const uint Reserved = 1;
    private const int StateMask = 7;
    private const int SlidingBit = 16;
    private const int RemovalBit = 17;

    private readonly SafeFileHandle _handle;
    private readonly CacheFolder _cache;
    private readonly int _slot;
    private readonly string _file;

    public CacheSegmentFile(CacheFolder cache, int slot, string file)
    {
        (_cache, _slot, _file) = (cache, slot, file);
        _handle = System.IO.File.OpenHandle(file, share: FileShare.ReadWrite | FileShare.Delete);
    }

    /// <summary>Reads the records that count or are damaged; those of an earlier use and of a clear are left out.</summary>
    /// <exception cref="ToolException">A newer program wrote the segment.</exception>
    public IEnumerable<CacheRecordFound> Records()
    {
        if (SequenceOfOpenSegment() is not { } opened)
        {
            yield break;
        }

        var offset = (long)HeaderBytes;
        while (offset + RecordHeaderBytes <= _cache.SegmentBytes)
        {
            var header = Read(offset, RecordHeaderBytes);
            var word = BinaryPrimitives.ReadUInt64LittleEndian(header);
            var bytes = (long)(word >> 32);
            var state = (uint)word & StateMask;
            if (state is not (Committed or Padding or Reserved) || bytes < Alignment || bytes % Alignment != 0 || bytes > _cache.SegmentBytes - offset)
            {
                yield break;
            }

            if (state == Committed)
            {
                var found = ReadRecord(offset, header, word, bytes);
                if (SequenceOfOpenSegment() != opened)
                {
                    // The segment was reused while it was read.
                    yield break;
                }

                if (found.Fault is not null || found.Sequence > Math.Max(opened, _cache.Cleared))
                {
                    yield return found;
                }
            }

            offset += bytes;
        }
    }

    public void Dispose() => _handle.Dispose();

    // Null if the segment is free.
    private ulong? SequenceOfOpenSegment()
    {
        var header = Read(0, HeaderBytes);
        if (!header.AsSpan(0, 8).SequenceEqual("BMSCSEG1"u8) || BinaryPrimitives.ReadInt32LittleEndian(header.AsSpan(8)) != _slot)
        {
            return null;
        }

        var sequence = BinaryPrimitives.ReadUInt64LittleEndian(header.AsSpan(16));
        var check = BitOperations.Crc32C(BitOperations.Crc32C(uint.MaxValue, sequence), (uint)_slot);
        if (check != BinaryPrimitives.ReadUInt32LittleEndian(header.AsSpan(12)))
        {
            return null;
        }

        return BinaryPrimitives.ReadUInt32LittleEndian(header.AsSpan(24)) == 0 ? sequence : throw new ToolException($"A newer program wrote '{_file}'. Update this tool.");
    }

    private CacheRecordFound ReadRecord(long offset, byte[] header, ulong word, long bytes)
    {
        var length = BinaryPrimitives.ReadUInt32LittleEndian(header.AsSpan(8));
        var sequence = BinaryPrimitives.ReadUInt64LittleEndian(header.AsSpan(16));
        var expiry = BinaryPrimitives.ReadUInt64LittleEndian(header.AsSpan(24));
        var fingerprint = BinaryPrimitives.ReadUInt64LittleEndian(header.AsSpan(32));
        var keyBytes = (long)BinaryPrimitives.ReadUInt32LittleEndian(header.AsSpan(40));
        var valueBytes = (long)BinaryPrimitives.ReadUInt32LittleEndian(header.AsSpan(44));
        var isSliding = (word >> SlidingBit & 1) != 0;
        var keyStart = RecordHeaderBytes - LengthStart + (isSliding ? SlidingBytes : 0);
        var valueStart = Align(keyStart + keyBytes);
        if (length > bytes - LengthStart || valueStart + valueBytes != length)
        {
            return Faulty("its lengths do not fit");
        }

        var content = Read(offset + LengthStart, (int)length);
        var location = (ulong)(((_slot * _cache.SegmentBytes) + offset) / Alignment);
        if (ChecksumOf(location, word, length, content, sequence) != BinaryPrimitives.ReadUInt32LittleEndian(header.AsSpan(12)))
        {
            return Faulty("its checksum differs");
        }

        const ulong TimeMask = (1UL << 48) - 1;
        var isRemoval = (word >> RemovalBit & 1) != 0;
        return new CacheRecordFound(
            _file, offset, sequence, isRemoval, (long)(expiry & TimeMask), fingerprint, content[keyStart..(int)(keyStart + keyBytes)], content[(int)valueStart..(int)length], Fault: null);

        CacheRecordFound Faulty(string fault) => new(_file, offset, sequence, IsRemoval: false, ExpiresAt: 0, fingerprint, [], [], fault);
    }

    private static long Align(long offset) => (offset + 7) & ~7L;

    private static uint ChecksumOf(ulong location, ulong word, uint length, ReadOnlySpan<byte> content, ulong sequence)
    {
        var check = BitOperations.Crc32C(uint.MaxValue, location);
        check = BitOperations.Crc32C(check, word);
        check = BitOperations.Crc32C(check, length);
        while (content.Length >= sizeof(ulong))
        {
            check = BitOperations.Crc32C(check, BinaryPrimitives.ReadUInt64LittleEndian(content));
            content = content[sizeof(ulong)..];
        }

        foreach (var value in content)
        {
            check = BitOperations.Crc32C(check, value);
        }

        return BitOperations.Crc32C(~check, sequence);
    }

    private byte[] Read(long offset, int count)
    {
        // Zeros after the end of a file that is cut off: they end the walk, or differ from the checksum.
        var bytes = new byte[count];
        var read = 0;
        while (read < count && RandomAccess.Read(_handle, bytes.AsSpan(read), offset + read) is > 0 and var step)
        {
            read += step;
        }

        return bytes;
    }
}
