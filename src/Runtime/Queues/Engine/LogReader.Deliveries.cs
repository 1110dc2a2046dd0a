using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <content>The open delivery.</content>
internal abstract unsafe partial class LogReader
{
    /// <summary>The payload of a delivery.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ReadOnlySpan<byte> Payload(long number)
    {
        RequireOpen(number);
        var payload = _payload;
        return new ReadOnlySpan<byte>(Start + ((payload >> 32) * RecordWord.Alignment), (int)(uint)payload);
    }

    /// <summary>The position of a delivery's record.</summary>
    public long PositionOf(long number)
    {
        RequireOpen(number);
        return TakenPosition;
    }

    /// <summary>The position after a delivery's record.</summary>
    public long EndOf(long number)
    {
        RequireOpen(number);
        return TakenPosition + TakenBytes;
    }

    /// <summary>Whether a delivery's record may have been delivered before.</summary>
    public bool IsRedelivery(long number)
    {
        RequireOpen(number);
        return IsRedelivered;
    }

    /// <summary>The id of a delivery's message.</summary>
    public MessageId IdOf(long number)
    {
        RequireOpen(number);
        return Control.IdOf(TakenPosition);
    }

    /// <summary>The entries of the properties of a delivery's record; empty if it has none.</summary>
    /// <exception cref="QueueCorruptedException">The properties are damaged.</exception>
    public ReadOnlySpan<byte> Properties(long number)
    {
        RequireOpen(number);
        var (offset, bytes, payloadBytes) = (RequireOffset(TakenOffset), TakenBytes, PayloadBytes);
        var record = Start + offset;
        if ((*(ulong*)record & RecordWord.HasProperties) == 0)
        {
            return default;
        }

        var restOffset = RecordWord.HeaderBytes + payloadBytes;
        if (bytes > SegmentBytes - offset || restOffset > bytes)
        {
            // Only threads that share the reader by mistake can see parts of two records.
            UseGate.ThrowInUse();
        }

        return PropertyBlock.TryFind(new ReadOnlySpan<byte>(record + restOffset, (int)(bytes - restOffset)), Origin + offset, out var entries)
            ? entries
            : throw new QueueCorruptedException(Segments.PathOf(Origin + offset), Origin + offset, "the properties of the record are damaged");
    }

    /// <summary>Commits a delivery's record, and closes the delivery.</summary>
    public void Commit(long number)
    {
        RequireOpen(number);
        Finish();
        EndDelivery();
    }

    /// <summary>Closes a delivery; its record is the next one again.</summary>
    public void Abandon(long number)
    {
        RequireOpen(number);
        Rollback();
        EndDelivery();
    }

    /// <summary>Closes a delivery, unless it is closed.</summary>
    public void CloseDelivery(long number)
    {
        if (_number == number)
        {
            Abandon(number);
        }
    }

    /// <summary>Closes the open delivery and leaves its record as it is, before the next one is taken.</summary>
    protected void LeaveDelivery()
    {
        CloseNumber();
        TakenBytes = 0;
    }

    /// <summary>Closes the open delivery, whose record is already committed.</summary>
    protected void CloseCommitted()
    {
        TakenBytes = 0;
        EndDelivery();
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private long OpenDelivery() => _number = (_number + 1) | 1;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void CloseNumber() => _number = (_number + 1) & ~1L;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void EndDelivery()
    {
        CloseNumber();
        if (_loop == 0)
        {
            _gate.Exit(this);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void RequireOpen(long number)
    {
        if (_number != number)
        {
            ThrowClosed();
        }
    }

    [DoesNotReturn]
    private void ThrowClosed() => throw new ObjectDisposedException(
        ObjectName, "This delivery is closed: it was committed or abandoned, or the consumer has read on. Read what you need of a message before that, or copy it.");
}
