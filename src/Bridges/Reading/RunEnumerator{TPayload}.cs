namespace BufferedMessages.Bridges;

/// <summary>An enumerator of the messages of a run.</summary>
/// <typeparam name="TPayload">A generated view, <see cref="RawMessage"/> or <see cref="ValueMessage{T}"/>.</typeparam>
public ref struct RunEnumerator<TPayload>
    where TPayload : IQueuePayload<TPayload>, allows ref struct
{
    private readonly MessageRun _run;
    private readonly ChainPlace _place;
    private RunRecord _record;
    private int _next;
    private int _count;

    internal RunEnumerator(MessageRun run, ChainPlace place)
    {
        _run = run;
        _place = place;
    }

    /// <summary>Gets the current message.</summary>
    public readonly ReceivedMessage<TPayload> Current => new(_run, _record);

    /// <summary>Moves to the next message that did not come before.</summary>
    /// <exception cref="MalformedMessageException">The rest of the run is damaged. The loop over the stream may go on.</exception>
    public bool MoveNext()
    {
        while (_count < _run.Count)
        {
            var rest = _run.Body.Length - _next;
            if (!RunRecord.TryRead(_run, ref _next, out _record))
            {
                throw new MalformedMessageException("the messages of the run cannot be told apart", rest);
            }

            _count++;
            if (new ChainPlace(_run.Epoch, _record.Position) >= _place)
            {
                return true;
            }
        }

        return false;
    }
}
