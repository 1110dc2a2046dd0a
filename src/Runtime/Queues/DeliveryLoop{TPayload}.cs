using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using BufferedMessages.Queues;

namespace BufferedMessages;

/// <summary>
/// An endless <c>foreach</c> loop over the messages of a consumer or reader, which waits while no message is available. A message is committed when the loop
/// moves to the next one, or earlier by <see cref="Delivery{TPayload}.Commit"/>. Leaving the loop abandons the current message unless it was committed.
/// </summary>
/// <typeparam name="TPayload">A generated view, <see cref="RawMessage"/> or <see cref="ValueMessage{T}"/>.</typeparam>
public ref struct DeliveryLoop<TPayload>
    where TPayload : IQueuePayload<TPayload>, allows ref struct
{
    private const long NotBegun = -1;

    private readonly LogReader? _reader;
    private readonly CancellationToken _cancellationToken;
    private CancellationTokenRegistration _registration;
    private long _loop;

    internal DeliveryLoop(LogReader reader, CancellationToken cancellationToken)
    {
        _reader = reader;
        _cancellationToken = cancellationToken;
        _loop = NotBegun;
    }

    /// <summary>Gets the current delivery. It is open until it is committed or abandoned, or until the loop moves to the next one or ends.</summary>
    public readonly Delivery<TPayload> Current
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => new(Reader, Reader.Number);
    }

    private readonly LogReader Reader
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => _reader ?? ThrowEmpty();
    }

    /// <summary>Begins the loop.</summary>
    /// <exception cref="InvalidOperationException">Another loop or delivery of the consumer is open.</exception>
    /// <exception cref="StaleQueueException">The queue's files were deleted, replaced or truncated.</exception>
    /// <exception cref="ObjectDisposedException">The consumer is disposed.</exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public DeliveryLoop<TPayload> GetEnumerator()
    {
        _loop = Reader.BeginLoop(_cancellationToken, out _registration);
        return this;
    }

    /// <summary>Commits the current message and takes the next one, waiting until one is available.</summary>
    /// <returns>Always true; the loop ends with <c>break</c> or an exception.</returns>
    /// <exception cref="OperationCanceledException">The loop was cancelled.</exception>
    /// <exception cref="ObjectDisposedException">The consumer was disposed, or the loop has ended.</exception>
    /// <exception cref="SchemaMismatchException">The queue's content was decided after the reader was opened, and is not that of the reader.</exception>
    /// <exception cref="QueueCorruptedException">The next record is damaged.</exception>
    /// <exception cref="NotSupportedException">A later version wrote the next record.</exception>
    /// <exception cref="MessagesDeletedException">The next messages are no longer in the queue.</exception>
    /// <exception cref="StaleQueueException">The queue's files were deleted, replaced or truncated.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly bool MoveNext() => Reader.TryStep(_loop) || Reader.AwaitStep(_loop, _cancellationToken);

    /// <summary>Ends the loop, and abandons the current message.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public readonly void Dispose() => _reader?.EndLoop(_loop, _registration);

    [DoesNotReturn]
    private static LogReader ThrowEmpty() =>
        throw new ObjectDisposedException(nameof(DeliveryLoop<>), "This is the default value, which has no messages. Begin a loop with ReadAll.");
}
