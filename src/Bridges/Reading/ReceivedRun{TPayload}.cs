namespace BufferedMessages.Bridges;

/// <summary>A run of messages, read in place in the buffer that the broker's client received it in. Valid until the loop over the stream asks for the next one. Serves one thread at a time.</summary>
/// <typeparam name="TPayload">A generated view, <see cref="RawMessage"/> or <see cref="ValueMessage{T}"/>.</typeparam>
public sealed class ReceivedRun<TPayload>
    where TPayload : IQueuePayload<TPayload>, allows ref struct
{
    private MessageRun _run;
    private ChainPlace _place;
    private bool _isOpen;

    internal ReceivedRun()
    {
    }

    /// <summary>Gets the offset of the run in the stream. Remember it when the messages of the run are handled. A loop that begins at it gets the run again.</summary>
    public StreamOffset Offset { get; private set; }

    /// <summary>Gets the number of messages, including those that came before and that <see cref="GetEnumerator"/> skips.</summary>
    public int Count => _run.Count;

    /// <summary>Loops over the messages: <c>foreach (var received in run)</c>.</summary>
    /// <exception cref="ObjectDisposedException">The loop over the stream has moved on.</exception>
    public RunEnumerator<TPayload> GetEnumerator()
    {
        ObjectDisposedException.ThrowIf(!_isOpen, this);
        return new RunEnumerator<TPayload>(_run, _place);
    }

    internal void Open(in MessageRun run, StreamOffset offset, ChainPlace place)
    {
        _run = run;
        _place = place;
        Offset = offset;
        _isOpen = true;
    }

    internal void Close() => _isOpen = false;
}
