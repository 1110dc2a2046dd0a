using System.Buffers.Binary;

namespace BufferedMessages.Sessions;

/// <summary>Orders over a stream: each with its length in front, in one write, since it is to be visible at once.</summary>
internal sealed class StreamOutlet(Stream stream) : IOrderOutlet
{
    private byte[] _frame = new byte[4096];

    public void Send(IOrderFormat format, long number)
    {
        var bytes = format.Prepare(number);
        if (sizeof(int) + bytes > _frame.Length)
        {
            _frame = new byte[2 * bytes];
        }

        BinaryPrimitives.WriteInt32LittleEndian(_frame, bytes);
        format.Write(_frame.AsSpan(sizeof(int), bytes));
        stream.Write(_frame, 0, sizeof(int) + bytes);
    }

    public void Dispose() => stream.Dispose();
}

/// <summary>Reads as much as there is at once, and takes the orders out of its buffer.</summary>
internal sealed class StreamInlet(Stream stream) : IOrderInlet
{
    private readonly byte[] _buffer = new byte[64 * 1024];
    private int _start;
    private int _end;

    public long Receive(IOrderFormat format, bool hasAllFields)
    {
        Fill(sizeof(int));
        var bytes = BinaryPrimitives.ReadInt32LittleEndian(_buffer.AsSpan(_start));
        Fill(sizeof(int) + bytes);
        var number = format.Read(_buffer.AsSpan(_start + sizeof(int), bytes), hasAllFields);
        _start += sizeof(int) + bytes;
        return number;
    }

    public void Dispose() => stream.Dispose();

    private void Fill(int bytes)
    {
        if (_end - _start >= bytes)
        {
            return;
        }

        if (_start + bytes > _buffer.Length / 2)
        {
            _buffer.AsSpan(_start, _end - _start).CopyTo(_buffer);
            _end -= _start;
            _start = 0;
        }

        while (_end - _start < bytes)
        {
            var read = stream.Read(_buffer, _end, _buffer.Length - _end);
            _end += read != 0 ? read : throw new EndOfStreamException("The other process of the session has closed its end.");
        }
    }
}
