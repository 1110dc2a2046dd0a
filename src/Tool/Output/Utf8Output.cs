using System.Text;

namespace BufferedMessages.Tool;

/// <summary>A stream of output as text and as UTF-8 bytes, in the order in which they were written. Serves one thread at a time.</summary>
/// <param name="stream">The receiver of the bytes.</param>
/// <param name="flushLines">Whether the end of each line is shown at once, as on a terminal.</param>
internal sealed class Utf8Output(Stream stream, bool flushLines) : TextWriter
{
    private const int BufferBytes = 32 * 1024;
    private const int MaxBytesOfChar = 3;

    private readonly byte[] _buffer = new byte[BufferBytes];
    private readonly Encoder _encoder = new UTF8Encoding(encoderShouldEmitUTF8Identifier: false).GetEncoder();
    private int _count;
    private bool _isDisposed;

    public override Encoding Encoding => Encoding.UTF8;

    public override void Write(char value) => Write([value]);

    public override void Write(string? value) => Write(value.AsSpan());

    public override void Write(char[] buffer, int index, int count) => Write(buffer.AsSpan(index, count));

    public override void Write(ReadOnlySpan<char> buffer)
    {
        var hasLine = flushLines && buffer.Contains('\n');
        while (!buffer.IsEmpty)
        {
            if (BufferBytes - _count < 2 * MaxBytesOfChar)
            {
                Send();
            }

            _encoder.Convert(buffer, _buffer.AsSpan(_count), flush: false, out var charsUsed, out var bytesUsed, out _);
            buffer = buffer[charsUsed..];
            _count += bytesUsed;
        }

        if (hasLine)
        {
            Flush();
        }
    }

    /// <summary>Writes a line that is UTF-8 already.</summary>
    public void WriteUtf8Line(ReadOnlySpan<byte> line)
    {
        WriteUtf8(line);
        Write('\n');
    }

    /// <summary>Writes text that is UTF-8 already.</summary>
    public void WriteUtf8(ReadOnlySpan<byte> text)
    {
        if (text.Length > BufferBytes - _count)
        {
            Send();
        }

        if (text.Length > BufferBytes)
        {
            SendAll(text);
            return;
        }

        text.CopyTo(_buffer.AsSpan(_count));
        _count += text.Length;
    }

    /// <exception cref="OutputClosedException">The reader of the pipe is gone.</exception>
    /// <exception cref="IOException">Not all bytes could be written. The rest of them is dropped. Its message says that it is the output.</exception>
    public override void Flush()
    {
        Send();
        try
        {
            stream.Flush();
        }
        catch (IOException exception)
        {
            throw FailureOf(exception);
        }
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing && !_isDisposed)
        {
            _isDisposed = true;
            try
            {
                Flush();
            }
            finally
            {
                stream.Dispose();
            }
        }

        base.Dispose(disposing);
    }

    private static Exception FailureOf(IOException exception) =>
        IsBrokenPipe(exception) ? new OutputClosedException(exception) : new IOException($"The output cannot be written: {exception.Message}", exception);

    // ERROR_BROKEN_PIPE and ERROR_NO_DATA; EPIPE.
    private static bool IsBrokenPipe(IOException exception) =>
        OperatingSystem.IsWindows() ? exception.HResult is unchecked((int)0x8007006D) or unchecked((int)0x800700E8) : exception.HResult == 32;

    // Bytes that failed are not sent again.
    private void Send()
    {
        var count = _count;
        _count = 0;
        SendAll(_buffer.AsSpan(0, count));
    }

    private void SendAll(ReadOnlySpan<byte> bytes)
    {
        try
        {
            stream.Write(bytes);
        }
        catch (IOException exception)
        {
            throw FailureOf(exception);
        }
    }
}

/// <summary>The output has ended: the program that reads it is gone, as with <c>| head</c>.</summary>
internal sealed class OutputClosedException(IOException? cause = null) : Exception("The output is closed.", cause);
