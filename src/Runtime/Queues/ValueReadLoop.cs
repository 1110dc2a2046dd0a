using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using BufferedMessages.Queues;

namespace BufferedMessages;

/// <summary>
/// The endless loop over a consumer's messages, for <c>foreach</c>. It waits when there is none. A message is committed when the loop
/// asks for the next; leaving the loop in any way leaves the last one uncommitted.
/// </summary>
/// <typeparam name="T">The type the producer publishes.</typeparam>
public ref struct ValueReadLoop<T>
    where T : unmanaged
{
    private const long NotBegun = -1;

    private readonly LogReader _reader;
    private readonly CancellationToken _cancellationToken;
    private CancellationTokenRegistration _registration;
    private long _use;

    internal ValueReadLoop(LogReader reader, CancellationToken cancellationToken)
    {
        _reader = reader;
        _cancellationToken = cancellationToken;
        _use = NotBegun;
    }

    /// <summary>The value in the mapped queue; it is not copied. Valid until the loop asks for the next one or ends.</summary>
    /// <remarks>Do not keep it in a variable outside of the loop: the compiler does not stop that in a <c>foreach</c>, and its bytes may be unmapped.</remarks>
    /// <exception cref="QueueCorruptedException">The record is not of the size of a value.</exception>
    [UnscopedRef]
    public readonly ref readonly T Current => ref _reader.Value<T>(_use);

    /// <summary>Begins the loop.</summary>
    /// <exception cref="InvalidOperationException">Another loop or lease of the consumer is open.</exception>
    /// <exception cref="ObjectDisposedException">The consumer is disposed.</exception>
    public ValueReadLoop<T> GetEnumerator()
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
