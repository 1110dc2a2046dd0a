using System.Buffers;

namespace BufferedMessages;

/// <content>Loading messages from streams and files.</content>
public static partial class BufferedMessage
{
    /// <summary>Reads one message from a file into a pooled buffer.</summary>
    /// <typeparam name="TView">The generated view type.</typeparam>
    /// <param name="path">The file; bytes after the message are ignored.</param>
    /// <param name="pool">The pool of the buffer; null for <see cref="BufferPool.Shared"/>.</param>
    /// <returns>The message; dispose it to return the buffer.</returns>
    /// <exception cref="MalformedMessageException">The file does not start with a whole message.</exception>
    public static PooledBufferedMessage<TView> Load<TView>(string path, BufferPool? pool = null)
        where TView : IBufferedMessage<TView>, allows ref struct
    {
        using var file = MessageFile.Open(path);
        return Load<TView>(file, pool);
    }

    /// <summary>Reads one message from a stream into a pooled buffer.</summary>
    /// <typeparam name="TView">The generated view type.</typeparam>
    /// <param name="stream">A readable stream. The call leaves its position right after the message, so that several messages can be read in turn.</param>
    /// <param name="pool">The pool of the buffer; null for <see cref="BufferPool.Shared"/>.</param>
    /// <returns>The message; dispose it to return the buffer.</returns>
    /// <exception cref="MalformedMessageException">The stream does not continue with a whole message.</exception>
    public static PooledBufferedMessage<TView> Load<TView>(Stream stream, BufferPool? pool = null)
        where TView : IBufferedMessage<TView>, allows ref struct
    {
        ArgumentNullException.ThrowIfNull(stream);
        return new PooledBufferedMessage<TView>(PooledMessage.Read(stream, (pool ?? BufferPool.Shared).Store));
    }

    /// <inheritdoc cref="Load{TView}(string, BufferPool?)"/>
    /// <param name="path">The file; bytes after the message are ignored.</param>
    /// <param name="pool">The pool of the buffer; null for <see cref="BufferPool.Shared"/>.</param>
    /// <param name="cancellationToken">Cancels the read.</param>
    public static async Task<PooledBufferedMessage<TView>> LoadAsync<TView>(string path, BufferPool? pool = null, CancellationToken cancellationToken = default)
        where TView : IBufferedMessage<TView>, allows ref struct
    {
        var file = MessageFile.Open(path);
        await using (file.ConfigureAwait(false))
        {
            return await LoadAsync<TView>(file, pool, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <inheritdoc cref="Load{TView}(Stream, BufferPool?)"/>
    /// <param name="stream">A readable stream. The call leaves its position right after the message, so that several messages can be read in turn.</param>
    /// <param name="pool">The pool of the buffer; null for <see cref="BufferPool.Shared"/>.</param>
    /// <param name="cancellationToken">Cancels the read.</param>
    public static async Task<PooledBufferedMessage<TView>> LoadAsync<TView>(Stream stream, BufferPool? pool = null, CancellationToken cancellationToken = default)
        where TView : IBufferedMessage<TView>, allows ref struct
    {
        ArgumentNullException.ThrowIfNull(stream);
        return new PooledBufferedMessage<TView>(await PooledMessage.ReadAsync(stream, (pool ?? BufferPool.Shared).Store, cancellationToken).ConfigureAwait(false));
    }

    /// <summary>Copies one message from a sequence into a pooled buffer. A view needs a contiguous message, so a message in several segments needs this copy.</summary>
    /// <typeparam name="TView">The generated view type.</typeparam>
    /// <param name="sequence">The bytes; those after the message are ignored. If there is only one segment, <see cref="Create{TView}"/> reads its span without a copy.</param>
    /// <param name="pool">The pool of the buffer; null for <see cref="BufferPool.Shared"/>.</param>
    /// <returns>The message; dispose it to return the buffer.</returns>
    /// <exception cref="MalformedMessageException">The sequence does not start with a whole message.</exception>
    public static PooledBufferedMessage<TView> Load<TView>(in ReadOnlySequence<byte> sequence, BufferPool? pool = null)
        where TView : IBufferedMessage<TView>, allows ref struct
        => new(PooledMessage.CopyOf(sequence, (pool ?? BufferPool.Shared).Store));
}
