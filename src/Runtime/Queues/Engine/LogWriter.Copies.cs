using System.Runtime.CompilerServices;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <content>Messages that are copied into the queue, with their properties.</content>
internal abstract unsafe partial class LogWriter
{
    /// <summary>Publishes a copy of a payload that has no properties, with fewer arguments and checks.</summary>
    /// <returns>False if there was no room within the timeout.</returns>
    // SAFETY: Reserve gives room for the payload in a mapped segment; a mapped range stays memory.
    public bool TryPublish(ReadOnlySpan<byte> payload, out long position, TimeSpan timeout, CancellationToken cancellationToken)
    {
        var destination = Reserve(payload.Length, timeout, cancellationToken, out var use);
        if (destination is null)
        {
            position = 0;
            return false;
        }

        payload.CopyTo(new Span<byte>(destination, payload.Length));
        position = Commit(use, destination, payload.Length, payload.Length, propertyBytes: 0);
        return true;
    }

    /// <summary>Publishes a copy of a payload with properties: those given, and the producer's stamps.</summary>
    /// <returns>False if there was no room within the timeout.</returns>
    public bool TryPublish(ReadOnlySpan<byte> payload, out long position, TimeSpan timeout, MessageProperties? properties, CancellationToken cancellationToken) =>
        TryFill(Reserve(payload.Length, properties, timeout, cancellationToken, out var use), use, payload, out position);

    /// <summary>Publishes the copy of a message of another queue, which keeps its properties except for those that are stamped. Does not wait for room.</summary>
    /// <returns>False if there is no room.</returns>
    public bool TryPublishCopy(ReadOnlySpan<byte> payload, ReadOnlySpan<byte> propertyEntries, in CopyStamps stamps, out long position) =>
        TryFill(ReserveCopy(payload.Length, propertyEntries, stamps, out var use), use, payload, out position);

    /// <summary>Reserves a record for a message that has properties: those given, and the producer's stamps.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public byte* Reserve(int payloadBytes, MessageProperties? properties, TimeSpan timeout, CancellationToken cancellationToken, out long use)
    {
        WaitLadder.RequireTimeout(timeout);
        use = _gate.Enter(this);
        if ((uint)payloadBytes > (uint)MaxPayloadBytes)
        {
            RefuseSize(payloadBytes);
        }

        EncodeProperties(properties);
        return ReserveEncoded(payloadBytes, timeout, cancellationToken);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private byte* ReserveCopy(int payloadBytes, ReadOnlySpan<byte> propertyEntries, in CopyStamps stamps, out long use)
    {
        use = _gate.Enter(this);
        if ((uint)payloadBytes > (uint)MaxPayloadBytes)
        {
            RefuseSize(payloadBytes);
        }

        EncodeProperties(propertyEntries, stamps);
        return ReserveEncoded(payloadBytes, TimeSpan.Zero, CancellationToken.None);
    }

    // SAFETY: As for TryPublish.
    private bool TryFill(byte* destination, long use, ReadOnlySpan<byte> payload, out long position)
    {
        if (destination is null)
        {
            position = 0;
            return false;
        }

        payload.CopyTo(new Span<byte>(destination, payload.Length));
        position = Commit(use, destination, payload.Length, payload.Length);
        return true;
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
            EndUnpublished();
            throw;
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void EncodeProperties(ReadOnlySpan<byte> entries, in CopyStamps stamps)
    {
        try
        {
            _propertyBytes = _properties.EncodeCopy(entries, stamps);
        }
        catch
        {
            EndUnpublished();
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
