using System.Runtime.CompilerServices;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <content>Records with properties.</content>
internal abstract unsafe partial class LogWriter
{
    /// <summary>Reserves a record for a message that has properties: those given, and the producer's stamps.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public byte* Reserve(int payloadBytes, MessageProperties? properties, TimeSpan timeout, CancellationToken cancellationToken, out long use)
    {
        use = _gate.Enter(this);
        if ((uint)payloadBytes > (uint)MaxPayloadBytes)
        {
            RefuseSize(payloadBytes);
        }

        EncodeProperties(properties);
        return ReserveEncoded(payloadBytes, timeout, cancellationToken);
    }

    /// <summary>Reserves a record for the copy of a message of another queue, which keeps its properties, apart from those that are stamped.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public byte* ReserveCopy(int payloadBytes, ReadOnlySpan<byte> propertyEntries, in CopyStamps stamps, out long use)
    {
        use = _gate.Enter(this);
        if ((uint)payloadBytes > (uint)MaxPayloadBytes)
        {
            RefuseSize(payloadBytes);
        }

        _propertyBytes = _properties.EncodeCopy(propertyEntries, stamps);
        return ReserveEncoded(payloadBytes, TimeSpan.Zero, CancellationToken.None);
    }

    private byte* ReserveEncoded(int payloadBytes, TimeSpan timeout, CancellationToken cancellationToken)
    {
        var bytes = RecordWord.RecordBytes(payloadBytes, _propertyBytes);
        if (bytes > (uint)MaxPayloadBytes + RecordWord.HeaderBytes)
        {
            var refused = payloadBytes + _propertyBytes;
            _propertyBytes = 0;
            RefuseSize(refused);
        }

        return TryReserve(bytes) || AwaitRoom(bytes, timeout, cancellationToken) ? Reserved + RecordWord.HeaderBytes : null;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void EncodeProperties(MessageProperties? properties)
    {
        try
        {
            _propertyBytes = _properties.Encode(properties);
        }
        catch
        {
            _gate.Exit(this);
            _span.Drop();
            throw;
        }
    }

    private long CommitWithProperties(long use, byte* payload, int payloadBytes, int reservedPayloadBytes)
    {
        var position = Commit(use, payload, payloadBytes, reservedPayloadBytes, _propertyBytes);
        _span.End();
        return position;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void WriteProperties(byte* end, long position)
    {
        _properties.Complete(new Span<byte>(end - _propertyBytes, _propertyBytes), position);
        _propertyBytes = 0;
    }
}
