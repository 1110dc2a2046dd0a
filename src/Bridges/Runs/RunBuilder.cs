using System.Buffers;
using System.Diagnostics;

namespace BufferedMessages.Bridges;

/// <summary>A run under construction. Its memory is from the shared pool, and goes back when the broker has confirmed the run.</summary>
internal sealed class RunBuilder : IDisposable
{
    // The properties of a single message follow the header.
    private int _headerBytes = MessageRun.HeaderBytes;
    private byte[] _memory;
    private int _used = MessageRun.HeaderBytes;
    private RunKind _kind = RunKind.Messages;

    public RunBuilder(int bodyBytes) => _memory = ArrayPool<byte>.Shared.Rent(MessageRun.HeaderBytes + bodyBytes);

    /// <summary>The number of messages.</summary>
    public int Count { get; private set; }

    /// <summary>Whether the run holds the schema.</summary>
    public bool IsSchema => _kind == RunKind.Schema;

    /// <summary>Bytes of the body.</summary>
    public int BodyBytes => _used - _headerBytes;

    /// <summary>The position of the first message.</summary>
    public long FirstPosition { get; private set; }

    /// <summary>The position of the last message; of a message that was left out, if that is later.</summary>
    public long LastPosition { get; private set; }

    /// <summary>The place after the last message, or after a later one that was left out.</summary>
    public ChainPlace End { get; private set; }

    /// <summary>Adds a message.</summary>
    public void Add(long position, ChainPlace end, ReadOnlySpan<byte> payload, ReadOnlySpan<byte> properties)
    {
        var bytes = RunRecord.Bytes(payload.Length, properties.Length);
        Require(bytes);
        RunRecord.Write(_memory.AsSpan(_used, bytes), position, payload, properties);
        _used += bytes;
        Count++;
        FirstPosition = Count == 1 ? position : FirstPosition;
        Pass(position, end);
    }

    /// <summary>Adds a message as the only one of the run, in a body that programs without this library can read.</summary>
    public void SetSingle(long position, ChainPlace end, ReadOnlySpan<byte> payload, ReadOnlySpan<byte> properties)
    {
        Debug.Assert(_used == MessageRun.HeaderBytes, "The run is empty.");
        Require(payload.Length + properties.Length);
        properties.CopyTo(_memory.AsSpan(_used));
        _headerBytes += properties.Length;
        payload.CopyTo(_memory.AsSpan(_headerBytes));
        _used = _headerBytes + payload.Length;
        _kind = RunKind.Single;
        Count = 1;
        FirstPosition = position;
        Pass(position, end);
    }

    /// <summary>Turns the run into one that holds the schema.</summary>
    public void SetSchema(ReadOnlySpan<byte> content, ChainPlace end)
    {
        Require(content.Length);
        content.CopyTo(_memory.AsSpan(_used));
        _used += content.Length;
        _kind = RunKind.Schema;
        End = end;
    }

    /// <summary>Counts a message as part of the run that was left out.</summary>
    public void Pass(long position, ChainPlace end)
    {
        LastPosition = position;
        End = end;
    }

    /// <summary>Completes the run.</summary>
    public MessageRun Complete(Guid queue, ChainPlace start, RunFlags flags, ulong fingerprint)
    {
        MessageRun.WriteHeader(_memory, _kind, flags, Count, queue, start, End, fingerprint, FirstPosition);
        return new MessageRun(_memory.AsMemory(0, _headerBytes), _memory.AsMemory(_headerBytes, BodyBytes));
    }

    public void Dispose()
    {
        ArrayPool<byte>.Shared.Return(_memory);
        _memory = [];
    }

    private void Require(int bytes)
    {
        if (bytes > _memory.Length - _used)
        {
            var larger = ArrayPool<byte>.Shared.Rent(checked(_used + bytes));
            _memory.AsSpan(0, _used).CopyTo(larger);
            ArrayPool<byte>.Shared.Return(_memory);
            _memory = larger;
        }
    }
}
