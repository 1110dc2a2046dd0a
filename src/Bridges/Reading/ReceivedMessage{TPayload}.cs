using System.Diagnostics.CodeAnalysis;

namespace BufferedMessages.Bridges;

/// <summary>A message of a run. Valid until the loop over the stream asks for the next run.</summary>
/// <typeparam name="TPayload">A generated view, <see cref="RawMessage"/> or <see cref="ValueMessage{T}"/>.</typeparam>
public readonly ref struct ReceivedMessage<TPayload>
    where TPayload : IQueuePayload<TPayload>, allows ref struct
{
    private readonly MessageRun _run;
    private readonly RunRecord _record;

    internal ReceivedMessage(MessageRun run, RunRecord record)
    {
        _run = run;
        _record = record;
    }

    /// <summary>Gets the message, read in place.</summary>
    /// <exception cref="MalformedMessageException">The bytes are not a message of this type.</exception>
    [UnscopedRef]
    public TPayload Message => TPayload.Open(_record.Payload.Span);

    /// <summary>Gets the id that the message has in its queue.</summary>
    public MessageId Id => new(_run.QueueId, _run.Epoch, _record.Position);

    /// <summary>Gets the properties of the message, read in place.</summary>
    [UnscopedRef]
    public DeliveryProperties Properties => new(_record.Properties.Span);
}
