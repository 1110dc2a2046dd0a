using System.Buffers.Binary;
using BufferedMessages.Segments;

namespace BufferedMessages.Tool;

/// <summary>The reader of an export file. Every block is checked before its bytes are used. Serves one thread at a time.</summary>
internal sealed class ExportReader : IDisposable
{
    private readonly FileStream _file;
    private readonly byte[] _header = new byte[ExportFormat.BlockHeaderBytes];
    private byte[] _body = [];
    private int _bodyBytes;
    private int _next;
    private long _block;

    /// <summary>Opens a file, and reads its queue.</summary>
    /// <exception cref="ToolException">It is not an export file, is damaged, or a newer program wrote it.</exception>
    public ExportReader(string path)
    {
        _file = new FileStream(path, FileMode.Open, FileAccess.Read);
        try
        {
            if (!_file.CanSeek)
            {
                throw new ToolException($"'{path}' is not a file. `import` needs its length, so write the export to a file first.");
            }

            Queue = ReadQueue();
        }
        catch
        {
            _file.Dispose();
            throw;
        }
    }

    /// <summary>Gets the queue that was exported.</summary>
    public ExportedQueue Queue { get; }

    /// <summary>Gets the bytes of the file.</summary>
    public long Bytes => _file.Length;

    /// <summary>Gets the number of records that were read.</summary>
    public long Count { get; private set; }

    /// <summary>Gets the id of the current message.</summary>
    public MessageId Id { get; private set; }

    /// <summary>Gets the current message. Valid until the next one is read.</summary>
    public ReadOnlySpan<byte> Payload => _body.AsSpan(PayloadStart, PayloadBytes);

    /// <summary>Gets the entries of the current message's properties. Valid until the next one is read.</summary>
    public ReadOnlySpan<byte> Entries => _body.AsSpan(PayloadStart + ExportFormat.Align(PayloadBytes), EntryBytes);

    private int PayloadStart { get; set; }

    private int PayloadBytes { get; set; }

    private int EntryBytes { get; set; }

    /// <summary>Goes on to the next message.</summary>
    /// <returns>False at the end.</returns>
    /// <exception cref="ToolException">The file is damaged or cut off.</exception>
    public bool MoveNext()
    {
        while (_next >= _bodyBytes)
        {
            switch (ReadBlock())
            {
                case ExportBlock.Records:
                    break;
                case ExportBlock.End when _bodyBytes == ExportFormat.EndBytes && BinaryPrimitives.ReadInt64LittleEndian(_body) == Count:
                    if (_file.Position < _file.Length)
                    {
                        throw Damaged("the file goes on after its end");
                    }

                    return false;
                default:
                    throw Damaged("it has a block that cannot be there");
            }
        }

        var record = _body.AsSpan(_next, _bodyBytes - _next);
        if (record.Length < ExportFormat.RecordHeaderBytes)
        {
            throw Damaged("a record ends outside its block");
        }

        var payloadBytes = BinaryPrimitives.ReadInt32LittleEndian(record[16..]);
        var entryBytes = BinaryPrimitives.ReadInt32LittleEndian(record[20..]);
        var bytes = ExportFormat.RecordHeaderBytes + AlignLong(payloadBytes) + AlignLong(entryBytes);
        if (payloadBytes < 0 || entryBytes < 0 || bytes > record.Length)
        {
            throw Damaged("a record ends outside its block");
        }

        Id = new MessageId(Queue.Id, BinaryPrimitives.ReadInt64LittleEndian(record[8..]), BinaryPrimitives.ReadInt64LittleEndian(record));
        PayloadStart = _next + ExportFormat.RecordHeaderBytes;
        PayloadBytes = payloadBytes;
        EntryBytes = entryBytes;
        _next += (int)bytes;
        Count++;
        return true;
    }

    public void Dispose() => _file.Dispose();

    private static long AlignLong(long bytes) => (bytes + ExportFormat.Alignment - 1) & -ExportFormat.Alignment;

    private ExportedQueue ReadQueue()
    {
        var header = new byte[ExportFormat.HeaderBytes];
        if (_file.ReadAtLeast(header, header.Length, throwOnEndOfStream: false) < header.Length || !header.AsSpan().StartsWith(ExportFormat.Magic))
        {
            throw new ToolException($"'{_file.Name}' is not an export file: it does not begin with '{System.Text.Encoding.ASCII.GetString(ExportFormat.Magic)}'. `export` makes one; JSON cannot be imported.");
        }

        var version = BinaryPrimitives.ReadUInt32LittleEndian(header.AsSpan(8));
        var features = BinaryPrimitives.ReadUInt32LittleEndian(header.AsSpan(12));
        if (version != ExportFormat.Version || features != 0)
        {
            throw new ToolException($"'{_file.Name}' is an export file of version {version} with the features 0x{features:X}; this program knows version {ExportFormat.Version} without features. Update this tool.");
        }

        return ReadBlock() == ExportBlock.Queue && ExportedQueue.Decode(_body.AsSpan(0, _bodyBytes)) is { } queue ? Skip(queue) : throw Damaged("its first block does not describe a queue");
    }

    private ExportedQueue Skip(ExportedQueue queue)
    {
        _next = _bodyBytes;
        return queue;
    }

    private ExportBlock ReadBlock()
    {
        _block = _file.Position;
        if (_file.ReadAtLeast(_header, _header.Length, throwOnEndOfStream: false) < _header.Length)
        {
            throw Damaged("it is cut off");
        }

        var bytes = BinaryPrimitives.ReadUInt32LittleEndian(_header.AsSpan(4));
        var aligned = AlignLong(bytes);
        if (aligned > Array.MaxLength || aligned > _file.Length - _file.Position)
        {
            throw Damaged("it is cut off");
        }

        if (_body.Length < aligned)
        {
            _body = new byte[aligned];
        }

        _file.ReadExactly(_body, 0, (int)aligned);
        _bodyBytes = (int)bytes;
        _next = 0;
        var check = ~Crc32C.Append(Crc32C.Append(Crc32C.Start, _header.AsSpan(0, ExportFormat.CheckedHeaderBytes)), _body.AsSpan(0, _bodyBytes));
        return check == BinaryPrimitives.ReadUInt32LittleEndian(_header.AsSpan(8)) ? (ExportBlock)BinaryPrimitives.ReadUInt32LittleEndian(_header) : throw Damaged("its checksum differs");
    }

    private ToolException Damaged(string fault) => new($"'{_file.Name}' is damaged in the block at offset {Quantity.Of(_block)}: {fault}. Export the queue again.", ExitCode.Negative);
}
