using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <content>
/// Batches: many records under one reservation, published by one store.
/// <code>
/// 1 reserve all bytes: the first state word has the length of the whole batch   2 finish each record; the words of all but the first are committed
/// 3 give back the unused rest   4 store the first state word, with the length of the first record alone
/// </code>
/// Until step 4, participants do not look beyond the first word; if the producer is dead, they skip the whole batch.
/// </content>
internal abstract unsafe partial class LogWriter
{
    /// <summary>Bytes of the records of the largest batch.</summary>
    public int MaxBatchBytes => MaxPayloadBytes + RecordWord.HeaderBytes;

    /// <summary>Begins a batch; until it is published or abandoned the producer is in use.</summary>
    /// <returns>The number of the use.</returns>
    public long EnterBatch() => _gate.Enter(this);

    /// <summary>Encodes properties for the records that are appended next.</summary>
    /// <returns>Their bytes in each record; 0 if there are none.</returns>
    /// <exception cref="ArgumentException">A text is too long.</exception>
    public int EncodeBatchProperties(MessageProperties? properties) => properties is null && !IsStamping ? 0 : _properties.Encode(properties);

    /// <summary>Reserves the records of a batch, waiting for room if necessary.</summary>
    /// <param name="use">The number of the use, which ends if nothing is reserved.</param>
    /// <param name="bytes">Bytes of all records, a multiple of 16.</param>
    /// <param name="timeout">How long to wait for room.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The batch; it is not open if there was no room within the timeout.</returns>
    /// <exception cref="MessageTooLargeException">A segment is smaller than that.</exception>
    public Batch ReserveBatch(long use, long bytes, TimeSpan timeout, CancellationToken cancellationToken)
    {
        if (bytes > MaxBatchBytes)
        {
            RefuseBatch(bytes);
        }

        return TryReserve((uint)bytes) || AwaitRoom((uint)bytes, timeout, cancellationToken) ? new Batch(use, Reserved, (uint)bytes) : new Batch(use, null, 0);
    }

    /// <summary>The place of the next record's payload, and the bytes that it may have.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Span<byte> NextPayload(ref readonly Batch batch, int propertyBytes)
    {
        Require(batch.Use);
        var room = batch.FreeBytes - RecordWord.HeaderBytes - propertyBytes;
        return room < 0 ? default : new Span<byte>(batch.Next + RecordWord.HeaderBytes, room);
    }

    /// <summary>Writes and finishes the next record, which has no properties; false if there is no room for it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryAppend(ref Batch batch, ReadOnlySpan<byte> payload)
    {
        Require(batch.Use);
        var bytes = RecordWord.RecordBytes(payload.Length);
        if (bytes > batch.FreeBytes)
        {
            return false;
        }

        payload.CopyTo(new Span<byte>(batch.Next + RecordWord.HeaderBytes, payload.Length));
        Append(ref batch, RecordWord.Compose(RecordWord.Committed, Slot, bytes), payload.Length);
        return true;
    }

    /// <summary>Finishes the next record, whose payload is written.</summary>
    /// <param name="batch">The batch.</param>
    /// <param name="payloadBytes">Bytes of payload.</param>
    /// <param name="propertyBytes">Bytes of the properties that are encoded.</param>
    /// <exception cref="ArgumentException">The record has no room.</exception>
    public void Append(ref Batch batch, int payloadBytes, int propertyBytes)
    {
        var bytes = RecordWord.RecordBytes(payloadBytes);
        var word = RecordWord.Committed;
        if (propertyBytes != 0)
        {
            bytes = RecordWord.RecordBytes(payloadBytes, propertyBytes);
            word |= RecordWord.HasProperties;
        }

        Require(batch.Use);
        if (bytes > batch.FreeBytes)
        {
            ThrowNoRoom();
        }

        if (propertyBytes != 0)
        {
            _properties.Complete(new Span<byte>(batch.Next + bytes - propertyBytes, propertyBytes), Origin + (long)batch.Next);
        }

        Append(ref batch, RecordWord.Compose(word, Slot, bytes), payloadBytes);
    }

    /// <summary>Publishes all records of a batch at once. A batch without records is abandoned.</summary>
    /// <returns>The position of the first record; 0 if there is none.</returns>
    public long Publish(ref Batch batch)
    {
        Require(batch.Use);
        if (batch.Messages == 0)
        {
            Abandon(batch.Use);
            return 0;
        }

        Seal(ref batch, feature: 0);
        if (batch.Next != batch.End)
        {
            Shorten(batch.First, (uint)(batch.Next - batch.First), (uint)(batch.End - batch.First));
            FaultPoints.Hit(FaultPoint.AfterShorten);
        }

        var position = Origin + (long)batch.First;
        FaultPoints.Hit(FaultPoint.BeforeBatchPublish);
        Volatile.Write(ref *(ulong*)batch.First, batch.FirstWord);
        FaultPoints.Hit(FaultPoint.AfterBatchPublish);
        Reserved = null;
        Me.Messages += batch.Messages;
        Me.PayloadBytes += batch.PayloadBytes;
        Records.WakeWaiters();
        if (_hasChecksums)
        {
            // A flush ends after the whole batch.
            Flush(position, batch.Messages);
        }

        _gate.Exit(this);
        _span.End(batch.Messages);
        return position;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Append(ref Batch batch, ulong word, int payloadBytes)
    {
        // Only now is it known that another record follows the last one.
        if (batch.Messages != 0)
        {
            Seal(ref batch, RecordWord.IsContinued);
        }

        batch.Add(word, payloadBytes);
        FaultPoints.Hit(FaultPoint.BatchRecordWritten);
    }

    /// <summary>Completes the header of the last record; only the state word of the first one waits until the end.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Seal(ref Batch batch, ulong feature)
    {
        var record = batch.Last;
        var payloadBytes = batch.LastPayloadBytes;
        var word = batch.LastWord | feature;
        *(ulong*)(record + RecordWord.PayloadBytesOffset) = (uint)payloadBytes | (_hasChecksums ? Checksum(record, Origin + (long)record, word, payloadBytes) : 0);
        if (record != batch.First)
        {
            *(ulong*)record = word;
            return;
        }

        batch.FirstWord = word;
        var isSplit = false;
        FaultPoints.SplitBatch(ref isSplit);
        if (isSplit && feature != 0)
        {
            batch.Split(RecordWord.Compose(RecordWord.Reserved, Slot, (uint)(batch.End - batch.Next)));
            Reserved = batch.First;
        }
    }

    [DoesNotReturn]
    private void RefuseBatch(long bytes)
    {
        EndUnpublished();
        throw new MessageTooLargeException(
            $"The records of the batch take {bytes} bytes, including their headers and properties; a batch must fit into one segment, and a segment of this queue holds at most {MaxBatchBytes}. " +
            $"Publish the messages in several batches, or create the queue with larger segments (MessageQueueOptions.SegmentBytes, up to {QueueGeometry.MaxSegmentBytes}).",
            bytes,
            MaxBatchBytes);
    }

    [DoesNotReturn]
    private static void ThrowNoRoom() => throw new ArgumentException("A source was changed while the batch was being written, and no longer fits into it. Nothing was published.");

    /// <summary>A reserved batch, and the records that are in it so far.</summary>
    /// <remarks>All addresses lie in one mapped segment, whose range stays memory.</remarks>
    internal struct Batch(long use, byte* first, uint bytes)
    {
        /// <summary>The number of the use.</summary>
        public readonly long Use => use;

        /// <summary>Whether there was room.</summary>
        public readonly bool IsOpen => First is not null;

        /// <summary>The first record; null if there was no room.</summary>
        public byte* First { get; private set; } = first;

        /// <summary>The end of the reservation.</summary>
        public readonly byte* End { get; } = first + bytes;

        /// <summary>The place of the next record.</summary>
        public byte* Next { get; private set; } = first;

        /// <summary>Bytes of the reservation that no record has yet.</summary>
        public readonly int FreeBytes => (int)(End - Next);

        /// <summary>The state word that publishes the batch.</summary>
        public ulong FirstWord { readonly get; set; }

        /// <summary>The record that was finished last. Its header is completed when it is known whether another one follows.</summary>
        public byte* Last { get; private set; }

        /// <summary>Its state word.</summary>
        public ulong LastWord { get; private set; }

        /// <summary>Bytes of its payload.</summary>
        public int LastPayloadBytes { get; private set; }

        /// <summary>The number of records.</summary>
        public int Messages { get; private set; }

        /// <summary>Bytes of their payloads.</summary>
        public long PayloadBytes { get; private set; }

        /// <summary>Adds a finished record.</summary>
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public void Add(ulong word, int payloadBytes)
        {
            Last = Next;
            LastWord = word;
            LastPayloadBytes = payloadBytes;
            Next += RecordWord.Bytes(word);
            Messages++;
            PayloadBytes += payloadBytes;
        }

        /// <summary>Publishes the first record before the others, which a batch must not do.</summary>
        public void Split(ulong reservedRest)
        {
            Volatile.Write(ref *(ulong*)Next, reservedRest);
            Volatile.Write(ref *(ulong*)First, FirstWord);
            First = Next;
        }
    }
}
