namespace BufferedMessages.Sessions;

/// <summary>The floor: a bare ring with patience.</summary>
internal sealed class RingSource(SharedMemory memory, SessionOptions options) : FlowSource
{
    private readonly FloorRing _ring = new(memory, options);
    private readonly byte[] _payload = new byte[options.PayloadBytes];

    public override void Publish(long first, int messages) => _ring.Publish(_payload, first, messages);

    public override void Dispose()
    {
    }
}

/// <inheritdoc cref="RingSource"/>
internal sealed class RingSink(SharedMemory memory, SessionOptions options) : FlowSink
{
    private readonly FloorRing _ring = new(memory, options);

    public override long Read(int messages) => _ring.Read(messages);

    public override void Skip() => throw new NotSupportedException("The bare ring cannot skip.");

    public override void Dispose()
    {
    }
}
