using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>The message of an object in memory of the thread, to be copied from there.</summary>
internal readonly ref struct ScratchMessage : IDisposable
{
    private readonly MessageScratch _scratch;

    private ScratchMessage(MessageScratch scratch, int bytes)
    {
        _scratch = scratch;
        Bytes = scratch.Memory[..bytes];
    }

    /// <summary>The message, until it is disposed.</summary>
    public ReadOnlySpan<byte> Bytes { get; }

    /// <summary>Writes a message. It throws what <see cref="IBufferedMessageSource{TSelf}.CalculateSize"/> and <see cref="IBufferedMessageSource{TSelf}.Write"/> throw.</summary>
    public static ScratchMessage Of<TSource>(TSource source)
        where TSource : IBufferedMessageSource<TSource>
    {
        ArgumentNullException.ThrowIfNull(source);
        var scratch = MessageScratch.Begin(typeof(IMessageBlock<TSource>));
        var isWritten = false;
        try
        {
            int bytes;
            try
            {
                bytes = source.Write(scratch.Memory);
            }
            catch (ArgumentException)
            {
                // The memory grows under the writer of generated code, but not under a method that a user wrote.
                if (!scratch.TryReserve(source.CalculateSize()))
                {
                    throw;
                }

                bytes = source.Write(scratch.Memory);
            }

            WrittenBytes.Require<TSource>(bytes, scratch.Memory.Length);
            isWritten = true;
            return new ScratchMessage(scratch, bytes);
        }
        finally
        {
            if (!isWritten)
            {
                scratch.End(0);
            }
        }
    }

    /// <summary>Gives the memory back.</summary>
    public void Dispose() => _scratch.End(Bytes.Length);
}
