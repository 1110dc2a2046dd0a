namespace BufferedMessages.Tool;

/// <summary>A walk over the messages of a queue as bytes. It takes no part in the queue. Serves one thread at a time.</summary>
internal sealed class QueueWalk : IDisposable
{
    // While no message comes, the end of the program that reads the output is noticed after this time.
    private static readonly TimeSpan ReaderLook = TimeSpan.FromSeconds(1);

    private readonly MessageReader<RawMessage> _reader;
    private readonly long? _end;
    private readonly Call _call;

    /// <param name="queue">The queue.</param>
    /// <param name="start">Where the walk begins.</param>
    /// <param name="end">The position where it ends; null to wait for later messages.</param>
    /// <param name="call">Ends a wait, and is told of messages that were deleted before they could be read.</param>
    public QueueWalk(MessageQueue queue, QueueStart start, long? end, Call call)
    {
        _reader = queue.OpenReader<RawMessage>(start);
        _end = end;
        _call = call;
    }

    /// <summary>Takes the next message, and waits for it if the walk has no end. The message before it is closed.</summary>
    /// <returns>False at the end.</returns>
    /// <exception cref="OperationCanceledException">Ctrl-C.</exception>
    /// <exception cref="OutputClosedException">The program that reads the output has ended while no message came.</exception>
    /// <exception cref="QueueCorruptedException">The next record is damaged.</exception>
    public bool TryNext(out Delivery<RawMessage> delivery)
    {
        _call.Token.ThrowIfCancellationRequested();
        while (true)
        {
            try
            {
                if (_end is { } end)
                {
                    return _reader.TryRead(out delivery) && delivery.Position < end;
                }

                if (!_reader.TryRead(out delivery))
                {
                    _call.Out.Flush();
                    while (!_reader.TryRead(out delivery, ReaderLook, _call.Token))
                    {
                        _call.Console.RequireReader();
                    }
                }

                return true;
            }
            catch (MessagesDeletedException exception)
            {
                // Retention, or a producer of a bounded queue, was faster.
                _call.Remark($"{Quantity.Of(exception.FirstPosition - exception.Position)} bytes from {Quantity.Of(exception.Position)} on were deleted before they could be read.");
                _reader.Seek(QueueStart.Earliest);
            }
        }
    }

    public void Dispose() => _reader.Dispose();
}
