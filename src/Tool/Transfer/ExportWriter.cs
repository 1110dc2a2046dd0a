using System.Buffers;
using System.Buffers.Binary;
using BufferedMessages.Segments;

namespace BufferedMessages.Tool;

/// <summary>The writer of an export file. Serves one thread at a time.</summary>
internal sealed class ExportWriter
{
    private readonly Stream _file;
    private readonly ArrayBufferWriter<byte> _records = new(ExportFormat.ComfortableBlockBytes);
    private long _count;

    /// <summary>Begins a file.</summary>
    public ExportWriter(Stream file, ExportedQueue queue)
    {
        _file = file;
        Span<byte> header = stackalloc byte[ExportFormat.HeaderBytes];
        header.Clear();
        ExportFormat.Magic.CopyTo(header);
        BinaryPrimitives.WriteUInt32LittleEndian(header[8..], ExportFormat.Version);
        _file.Write(header);
        WriteBlock(ExportBlock.Queue, queue.Encode());
    }

    /// <summary>Adds a record.</summary>
    /// <param name="id">The id of the message.</param>
    /// <param name="payload">Its bytes.</param>
    /// <param name="entries">The entries of its properties.</param>
    public void Add(in MessageId id, ReadOnlySpan<byte> payload, ReadOnlySpan<byte> entries)
    {
        var bytes = ExportFormat.RecordHeaderBytes + (long)ExportFormat.Align(payload.Length) + ExportFormat.Align(entries.Length);
        if (_records.WrittenCount > 0 && _records.WrittenCount + bytes > ExportFormat.ComfortableBlockBytes)
        {
            EndBlock();
        }

        var record = _records.GetSpan((int)bytes)[..(int)bytes];
        record.Clear();
        BinaryPrimitives.WriteInt64LittleEndian(record, id.Position);
        BinaryPrimitives.WriteInt64LittleEndian(record[8..], id.Epoch);
        BinaryPrimitives.WriteInt32LittleEndian(record[16..], payload.Length);
        BinaryPrimitives.WriteInt32LittleEndian(record[20..], entries.Length);
        payload.CopyTo(record[ExportFormat.RecordHeaderBytes..]);
        entries.CopyTo(record[(ExportFormat.RecordHeaderBytes + ExportFormat.Align(payload.Length))..]);
        _records.Advance((int)bytes);
        _count++;
    }

    /// <summary>Ends the file.</summary>
    /// <param name="end">The position after the last record that was looked at.</param>
    public void End(long end)
    {
        EndBlock();
        Span<byte> body = stackalloc byte[ExportFormat.EndBytes];
        BinaryPrimitives.WriteInt64LittleEndian(body, _count);
        BinaryPrimitives.WriteInt64LittleEndian(body[8..], end);
        WriteBlock(ExportBlock.End, body);
        _file.Flush();
    }

    private void EndBlock()
    {
        if (_records.WrittenCount > 0)
        {
            WriteBlock(ExportBlock.Records, _records.WrittenSpan);
            _records.ResetWrittenCount();
        }
    }

    private void WriteBlock(ExportBlock kind, ReadOnlySpan<byte> body)
    {
        Span<byte> header = stackalloc byte[ExportFormat.BlockHeaderBytes];
        header.Clear();
        BinaryPrimitives.WriteUInt32LittleEndian(header, (uint)kind);
        BinaryPrimitives.WriteInt32LittleEndian(header[4..], body.Length);
        BinaryPrimitives.WriteUInt32LittleEndian(header[8..], ~Crc32C.Append(Crc32C.Append(Crc32C.Start, header[..ExportFormat.CheckedHeaderBytes]), body));
        _file.Write(header);
        _file.Write(body);
        Span<byte> zeros = stackalloc byte[ExportFormat.Alignment];
        zeros.Clear();
        _file.Write(zeros[..(ExportFormat.Align(body.Length) - body.Length)]);
    }
}
