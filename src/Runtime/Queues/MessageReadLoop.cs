using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using BufferedMessages.Queues;

namespace BufferedMessages;

/// <summary>
/// The endless loop over a consumer's messages, for <c>foreach</c>. It waits when there is none. A message is committed when the loop
/// asks for the next; leaving the loop in any way leaves the last one uncommitted.
/// </summary>
/// <typeparam name="TView">The generated view type.</typeparam>
public ref struct MessageReadLoop<TView>
    where TView : IBufferedMessage<TView>, allows ref struct
{
    private const long NotBegun = -1;

    private readonly LogReader _reader;
    private readonly CancellationToken _cancellationToken;
    private CancellationTokenRegistration _registration;
    private long _use;

    internal MessageReadLoop(LogReader reader, CancellationToken cancellationToken)
    {
        _reader = reader;
        _cancellationToken = cancellationToken;
        _use = NotBegun;
    }

    /// <summary>The view of the message in the mapped queue. Valid until the loop asks for the next one or ends.</summary>
    /// <remarks>Do not keep it in a variable outside of the loop: the compiler does not stop that in a <c>foreach</c>, and its bytes may be unmapped.</remarks>
    /// <exception cref="MalformedMessageException">The bytes are not a whole message. A lease can commit it, to step over it.</exception>
    [UnscopedRef]
    public readonly TView Current => BufferedMessage.Create<TView>(_reader.Payload(_use));

    /// <summary>Begins the loop.</summary>
    /// <exception cref="InvalidOperationException">Another loop or lease of the consumer is open.</exception>
    /// <exception cref="ObjectDisposedException">The consumer is disposed.</exception>
    public MessageReadLoop<TView> GetEnumerator()
    {
        _use = _reader.BeginLoop(_cancellationToken, out _registration);
        return this;
    }

    /// <summary>Commits the current message and takes the next one; waits for it as long as it takes.</summary>
    /// <returns>True; the loop ends by <c>break</c> or by an exception.</returns>
    /// <exception cref="OperationCanceledException">The loop was cancelled.</exception>
    /// <exception cref="ObjectDisposedException">The consumer was disposed, or the loop is over.</exception>
    /// <exception cref="QueueCorruptedException">The next record is damaged.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly bool MoveNext() => _reader.TryStep(_use) || _reader.AwaitStep(_use, _cancellationToken);

    /// <summary>Ends the loop; the current message stays uncommitted.</summary>
    public readonly void Dispose() => _reader.EndLoop(_use, _registration);
}
