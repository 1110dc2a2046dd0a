using System.Buffers.Binary;
using System.Numerics;
using Microsoft.Win32.SafeHandles;

namespace BufferedMessages.Tool;

/// <summary>A record of a cache, as the walk over a segment finds it. Its value stays in the file.</summary>
/// <param name="Slot">The segment's slot.</param>
/// <param name="File">The segment's file.</param>
/// <param name="Offset">Its offset there.</param>
/// <param name="Sequence">Its sequence number.</param>
/// <param name="ExpiresAt">Milliseconds since 1970; 0 for never.</param>
/// <param name="Fingerprint">The fingerprint of its schema; 0 for bytes.</param>
/// <param name="Key">Its key.</param>
/// <param name="ValueBytes">The size of its value.</param>
/// <param name="Fault">The rule that it breaks; null if it is whole.</param>
internal sealed record CacheRecordFound(
    int Slot, string File, long Offset, ulong Sequence, long ExpiresAt, ulong Fingerprint, byte[] Key, int ValueBytes, string? Fault);

/// <summary>The walk over the records of a segment's file, in one buffer. Serves one thread at a time.</summary>
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

    private readonly SafeFileHandle _handle;
    private readonly CacheFolder _cache;
    private readonly int _slot;
    private readonly string _file;
    private readonly byte[] _header = new byte[HeaderBytes];
    private byte[] _content = [];

    public CacheSegmentFile(CacheFolder cache, int slot, string file)
    {
        (_cache, _slot, _file) = (cache, slot, file);
        _handle = System.IO.File.OpenHandle(file, share: FileShare.ReadWrite | FileShare.Delete);
    }

    /// <summary>Reads the records that count or are damaged; dead ones, and those of an earlier use and of a clear, are left out.</summary>
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
            Read(offset, _header.AsSpan(0, RecordHeaderBytes));
            var word = BinaryPrimitives.ReadUInt64LittleEndian(_header);
            var bytes = (long)(word >> 32);
            var state = (uint)word & StateMask;
            if (state is not (Committed or Padding or Reserved) || bytes < Alignment || bytes % Alignment != 0 || bytes > _cache.SegmentBytes - offset)
            {
                yield break;
            }

            if (state == Committed)
            {
                var found = ReadRecord(offset, word, bytes, out _);
                if (SequenceOfOpenSegment() != opened)
                {
                    // The segment was reused while it was read.
                    yield break;
                }

                if (found.Fault is not null || (found.Sequence > Math.Max(opened, _cache.Cleared) && !IsDead(offset)))
                {
                    yield return found;
                }
            }

            offset += bytes;
        }
    }

    /// <summary>Reads the value of a record that was found.</summary>
    /// <param name="record">The record.</param>
    /// <param name="value">The value, until the next use of this object.</param>
    /// <returns>False if it is not there any more: the segment was reused.</returns>
    public bool TryReadValue(CacheRecordFound record, out ReadOnlySpan<byte> value)
    {
        Read(record.Offset, _header.AsSpan(0, RecordHeaderBytes));
        var word = BinaryPrimitives.ReadUInt64LittleEndian(_header);
        var bytes = (long)(word >> 32);
        value = default;
        return ((uint)word & StateMask) == Committed
            && bytes >= RecordHeaderBytes
            && bytes <= _cache.SegmentBytes - record.Offset
            && ReadRecord(record.Offset, word, bytes, out value) is { Fault: null } found
            && found.Sequence == record.Sequence;
    }

    public void Dispose() => _handle.Dispose();

    // Null if the segment is free.
    private ulong? SequenceOfOpenSegment()
    {
        Span<byte> header = stackalloc byte[HeaderBytes];
        Read(0, header);
        if (!header[..8].SequenceEqual("BMSCSEG1"u8) || BinaryPrimitives.ReadInt32LittleEndian(header[8..]) != _slot)
        {
            return null;
        }

        var sequence = BinaryPrimitives.ReadUInt64LittleEndian(header[16..]);
        var check = BitOperations.Crc32C(BitOperations.Crc32C(uint.MaxValue, sequence), (uint)_slot);
        if (check != BinaryPrimitives.ReadUInt32LittleEndian(header[12..]))
        {
            return null;
        }

        return BinaryPrimitives.ReadUInt32LittleEndian(header[24..]) == 0 ? sequence : throw new ToolException($"A newer program wrote '{_file}'. Update this tool.");
    }

    // The header of the record is in its buffer.
    private CacheRecordFound ReadRecord(long offset, ulong word, long bytes, out ReadOnlySpan<byte> value)
    {
        value = default;
        var header = _header.AsSpan(0, RecordHeaderBytes);
        var length = BinaryPrimitives.ReadUInt32LittleEndian(header[8..]);
        var sequence = BinaryPrimitives.ReadUInt64LittleEndian(header[16..]);
        var expiry = BinaryPrimitives.ReadUInt64LittleEndian(header[24..]);
        var fingerprint = BinaryPrimitives.ReadUInt64LittleEndian(header[32..]);
        var keyBytes = (long)BinaryPrimitives.ReadUInt32LittleEndian(header[40..]);
        var valueBytes = (long)BinaryPrimitives.ReadUInt32LittleEndian(header[44..]);
        var isSliding = (word >> SlidingBit & 1) != 0;
        var keyStart = RecordHeaderBytes - LengthStart + (isSliding ? SlidingBytes : 0);
        var valueStart = Align(keyStart + keyBytes);
        if (length > bytes - LengthStart || valueStart + valueBytes != length)
        {
            return Faulty("its lengths do not fit");
        }

        if (_content.Length < length)
        {
            _content = new byte[Math.Max(length, Math.Min(2L * _content.Length, _cache.SegmentBytes))];
        }

        var content = _content.AsSpan(0, (int)length);
        Read(offset + LengthStart, content);
        var location = (ulong)(((_slot * _cache.SegmentBytes) + offset) / Alignment);
        if (ChecksumOf(location, word, length, content, sequence) != BinaryPrimitives.ReadUInt32LittleEndian(header[12..]))
        {
            return Faulty("its checksum differs");
        }

        const ulong TimeMask = (1UL << 48) - 1;
        value = content[(int)valueStart..];
        return new CacheRecordFound(
            _slot, _file, offset, sequence, (long)(expiry & TimeMask), fingerprint, content[keyStart..(int)(keyStart + keyBytes)].ToArray(), value.Length, Fault: null);

        CacheRecordFound Faulty(string fault) => new(_slot, _file, offset, sequence, ExpiresAt: 0, fingerprint, [], ValueBytes: 0, fault);
    }

    // The marks at the end of the segment: a bit for each 32 bytes.
    private bool IsDead(long offset)
    {
        Span<byte> marks = stackalloc byte[1];
        Read(_cache.SegmentBytes - (_cache.SegmentBytes >> 8) + (offset >> 8), marks);
        return (marks[0] >> (int)(offset >> 5 & 7) & 1) != 0;
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

    // Zeros after the end of a file that is cut off: they end the walk, or differ from the checksum.
    private void Read(long offset, Span<byte> bytes)
    {
        while (!bytes.IsEmpty && RandomAccess.Read(_handle, bytes, offset) is > 0 and var step)
        {
            bytes = bytes[step..];
            offset += step;
        }

        bytes.Clear();
    }
}
