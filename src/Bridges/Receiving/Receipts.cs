namespace BufferedMessages.Bridges;

/// <summary>The messages in the destination that the journal does not count yet. Each names its source, so they show which messages came.</summary>
internal static class Receipts
{
    /// <summary>Counts the messages from a position of the destination on.</summary>
    /// <param name="queue">The destination.</param>
    /// <param name="position">The position of the journal.</param>
    /// <param name="chains">The places that the messages reach.</param>
    /// <returns>The position of the last message that is counted; that of the journal if there is none.</returns>
    public static long Count(MessageQueue queue, long position, SourceChains chains)
    {
        var last = position;
        using var reader = Open(queue, position);
        while (TryRead(reader, out var delivery))
        {
            last = delivery.Position;
            if (delivery.Properties.Source is { } source)
            {
                // Its end is not known; the entry of the stream that holds it comes again, and tells its end.
                chains.Reach(source.QueueId, new ChainPlace(source.Epoch, source.Position + 1));
            }

            delivery.Commit();
        }

        return last;
    }

    private static MessageReader<RawMessage> Open(MessageQueue queue, long position)
    {
        try
        {
            return queue.OpenReader<RawMessage>(position == 0 ? QueueStart.Earliest : QueueStart.At(position));
        }
        catch (ArgumentOutOfRangeException)
        {
            // Retention has deleted it, or a crash of the machine has cut it off.
            return queue.OpenReader<RawMessage>();
        }
    }

    // A message of the receiver before this one may come after a record that another producer still writes.
    private static bool TryRead(MessageReader<RawMessage> reader, out Delivery<RawMessage> delivery)
    {
        while (true)
        {
            try
            {
                if (reader.TryRead(out delivery))
                {
                    return true;
                }

                if (!reader.TryPassUnfinished())
                {
                    return false;
                }
            }
            catch (MessagesDeletedException)
            {
                reader.Seek(QueueStart.Earliest);
            }
        }
    }
}
