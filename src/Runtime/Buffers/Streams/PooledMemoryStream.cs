using System.Runtime.InteropServices;

namespace BufferedMessages;

/// <summary>A memory stream over a pooled stream's contiguous content, as long as that stream allows it. Members that these overrides do not cover throw too.</summary>
internal sealed class PooledMemoryStream : MemoryStream
{
    private readonly PooledMemory _memory;

    public PooledMemoryStream(PooledMemory memory, int length)
        : this(memory, ArrayOf(memory), length)
    {
    }

    private PooledMemoryStream(PooledMemory memory, ArraySegment<byte> array, int length)
        : base(array.Array!, array.Offset, length, writable: false, publiclyVisible: true)
        => _memory = memory;

    public override int Read(byte[] buffer, int offset, int count)
    {
        _memory.ThrowIfRevoked();
        return base.Read(buffer, offset, count);
    }

    public override int Read(Span<byte> buffer)
    {
        var rest = _memory.GetSpan()[..(int)Length];
        rest = rest[(int)Math.Min(Position, rest.Length)..];
        rest = rest[..Math.Min(rest.Length, buffer.Length)];
        rest.CopyTo(buffer);
        Position += rest.Length;
        return rest.Length;
    }

    public override int ReadByte()
    {
        _memory.ThrowIfRevoked();
        return base.ReadByte();
    }

    public override byte[] ToArray()
    {
        _memory.ThrowIfRevoked();
        return base.ToArray();
    }

    public override byte[] GetBuffer()
    {
        _memory.ThrowIfRevoked();
        return base.GetBuffer();
    }

    public override bool TryGetBuffer(out ArraySegment<byte> buffer)
    {
        _memory.ThrowIfRevoked();
        return base.TryGetBuffer(out buffer);
    }

    public override void WriteTo(Stream stream)
    {
        _memory.ThrowIfRevoked();
        base.WriteTo(stream);
    }

    private static ArraySegment<byte> ArrayOf(PooledMemory memory) =>
        MemoryMarshal.TryGetArray<byte>(memory.Memory, out var array) ? array : default;
}
