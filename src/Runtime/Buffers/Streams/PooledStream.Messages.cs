using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using BufferedMessages.Wire;

namespace BufferedMessages;

/// <content>
/// Messages in place. A message that was returned is valid for one version of the stream. A version ends with the first change after a message was returned. Other
/// changes invalidate no message, so they are not counted, and writing stays as fast.
/// </content>
public sealed partial class PooledStream
{
    // Of the version; the other bits are in the extras, so that they do not make the object larger.
    private const int CountedBits = 16;

    private ushort _version;

    /// <summary>The version of the content and of its place. A disposed stream has a version that it never had before.</summary>
    internal long Version => _version + ((_extras?.Versions ?? 0L) << CountedBits);

    /// <summary>Reads the message at the position in place, and moves the position to its end.</summary>
    /// <typeparam name="TView">The generated view type.</typeparam>
    /// <returns>The message; valid until the stream is written to, is disposed, or must make its content contiguous.</returns>
    /// <remarks>
    /// A message that <c>WriteTo</c> wrote at the end of a stream is contiguous. If a message is in several pieces, as after writes of its parts, the whole
    /// stream is made contiguous first, which copies it once.
    /// </remarks>
    /// <exception cref="MalformedMessageException">There is no whole message at the position, which does not change.</exception>
    /// <exception cref="IOException">The message is in several pieces, and the stream is too long for one array.</exception>
    public StreamMessage<TView> ReadMessage<TView>()
        where TView : IBufferedMessage<TView>, allows ref struct
    {
        var rest = Math.Max(0, Length - _position);
        if (rest < WireFormat.HeaderBytes)
        {
            Malformed.Throw(WireRule.TooShort, (int)rest);
        }

        var length = MessageHeader.TotalBytesOf(Peek(stackalloc byte[WireFormat.HeaderBytes]), Open());
        if (rest < length)
        {
            Malformed.Throw($"its header says {length} bytes, but the stream ends after {rest}", (int)rest);
        }

        var bytes = PeekContiguous(length);
        BlockReader.OfMessage(bytes);
        _isGuarded = true;
        MoveTo(_position + length);
        return new StreamMessage<TView>(this, bytes, Version);
    }

    /// <summary>Takes the content, which is one message, out of the stream, which is then empty. Content in several blocks is first copied into one.</summary>
    /// <typeparam name="TView">The generated view type.</typeparam>
    /// <returns>The message, in the former buffer of the stream; dispose it to return the buffer.</returns>
    /// <exception cref="MalformedMessageException">The content does not start with a whole message; the stream keeps it.</exception>
    /// <exception cref="IOException">The content is in several pieces, and too long for one array.</exception>
    public PooledBufferedMessage<TView> DetachMessage<TView>()
        where TView : IBufferedMessage<TView>, allows ref struct
    {
        BlockReader.OfMessage(GetContiguousMemory().Span);
        return new PooledBufferedMessage<TView>(DetachPooledMemory());
    }

    /// <summary>Throws for the bytes of a <see cref="StreamMessage{TView}"/> that are gone.</summary>
    [DoesNotReturn]
    internal static void ThrowChanged(PooledStream? stream)
    {
        if (stream is null)
        {
            throw new ObjectDisposedException(nameof(StreamMessage<>), "This is the default value, which no stream gave.");
        }

        stream.Open();
        throw new InvalidOperationException("The stream has been written to, or has detached or moved its content, since the message was read. Read the message again, or copy it before the stream changes.");
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void NoteChange()
    {
        if (_isGuarded)
        {
            EndVersion();
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void EndVersion()
    {
        _isGuarded = _position > _length;
        if (++_version == 0)
        {
            (_extras ??= new StreamExtras()).Versions++;
        }
    }
}
