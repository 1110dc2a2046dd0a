using System.Buffers;
using System.Runtime.CompilerServices;

namespace BufferedMessages;

/// <summary>Extensions that write a source as a message to arrays, buffer writers, streams and files.</summary>
/// <remarks>
/// The methods first write the message to memory of the thread, and throw the exceptions of <see cref="IBufferedMessageSource{TSelf}.CalculateSize"/> and
/// <see cref="IBufferedMessageSource{TSelf}.Write"/>. Other threads must not change the source during the call.
/// </remarks>
public static class BufferedMessageSourceExtensions
{
    /// <summary>Writes the message to a new array of its exact size.</summary>
    /// <param name="source">The object to write.</param>
    public static byte[] ToMessageArray<TSource>(this TSource source)
        where TSource : IBufferedMessageSource<TSource>
    {
        using var message = ScratchMessage.Of(source);
        return message.Bytes.ToArray();
    }

    /// <summary>
    /// Writes the message to a buffer writer. In a <see cref="PooledStream"/>, which is one, the message is contiguous.
    /// </summary>
    /// <param name="source">The object to write.</param>
    /// <param name="destination">The buffer writer; it is advanced by the message's size.</param>
    /// <returns>The size of the message in bytes.</returns>
    [OverloadResolutionPriority(1)]
    public static int WriteTo<TSource>(this TSource source, IBufferWriter<byte> destination)
        where TSource : IBufferedMessageSource<TSource>
    {
        ArgumentNullException.ThrowIfNull(destination);
        using var message = ScratchMessage.Of(source);
        message.Bytes.CopyTo(destination.GetSpan(message.Bytes.Length));
        destination.Advance(message.Bytes.Length);
        return message.Bytes.Length;
    }

    /// <summary>Writes the message to a stream with a single call to its Write method.</summary>
    /// <param name="source">The object to write.</param>
    /// <param name="destination">A writable stream; it is not flushed.</param>
    public static void WriteTo<TSource>(this TSource source, Stream destination)
        where TSource : IBufferedMessageSource<TSource>
    {
        ArgumentNullException.ThrowIfNull(destination);
        using var buffer = PooledMessage.Of(source, BufferPool.Shared.Store);
        destination.Write(buffer.GetSpan());
    }

    /// <summary>Writes the message to a stream with a single call to its WriteAsync method.</summary>
    /// <param name="source">The object to write; it is read before the first await.</param>
    /// <param name="destination">A writable stream; it is not flushed.</param>
    /// <param name="cancellationToken">Cancels the stream's write.</param>
    public static async Task WriteToAsync<TSource>(this TSource source, Stream destination, CancellationToken cancellationToken = default)
        where TSource : IBufferedMessageSource<TSource>
    {
        ArgumentNullException.ThrowIfNull(destination);
        using var buffer = PooledMessage.Of(source, BufferPool.Shared.Store);
        await destination.WriteAsync(buffer.Memory, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Writes the message to a file. An existing file is replaced completely, even if the message is shorter.</summary>
    /// <param name="source">The object to write.</param>
    /// <param name="path">The file.</param>
    public static void WriteTo<TSource>(this TSource source, string path)
        where TSource : IBufferedMessageSource<TSource>
    {
        using var buffer = PooledMessage.Of(source, BufferPool.Shared.Store);
        using var file = MessageFile.Create(path, buffer.GetSpan().Length);
        file.Write(buffer.GetSpan());
    }

    /// <inheritdoc cref="WriteTo{TSource}(TSource, string)"/>
    /// <param name="source">The object to write; it is read before the first await.</param>
    /// <param name="path">The file.</param>
    /// <param name="cancellationToken">Cancels the write, which leaves the file incomplete.</param>
    public static async Task WriteToAsync<TSource>(this TSource source, string path, CancellationToken cancellationToken = default)
        where TSource : IBufferedMessageSource<TSource>
    {
        using var buffer = PooledMessage.Of(source, BufferPool.Shared.Store);
        var file = MessageFile.Create(path, buffer.Memory.Length);
        await using (file.ConfigureAwait(false))
        {
            await file.WriteAsync(buffer.Memory, cancellationToken).ConfigureAwait(false);
        }
    }
}
