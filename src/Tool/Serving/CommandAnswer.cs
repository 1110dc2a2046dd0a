using System.Text;

namespace BufferedMessages.Tool;

/// <summary>The answer of another command of this program, which the page passes on.</summary>
/// <param name="Lines">Its lines of JSON.</param>
/// <param name="HasMore">Whether it had more to say.</param>
/// <param name="Remarks">Its remarks, such as that a message is not as its schema says.</param>
internal sealed record CommandAnswer(IReadOnlyList<string> Lines, bool HasMore, string Remarks)
{
    /// <summary>Runs a command.</summary>
    /// <param name="call">The command that serves.</param>
    /// <param name="maxLines">The number of lines after which the command ends, as with <c>| head</c>. It ends after a line that reaches <see cref="MessagePage.MaxBytes"/>, too.</param>
    /// <param name="token">Ends it.</param>
    /// <param name="arguments">Its command line, with <c>--json</c>.</param>
    /// <exception cref="RefusedException">It ended with a sentence instead.</exception>
    public static async Task<CommandAnswer> RunAsync(Call call, int maxLines, CancellationToken token, params string[] arguments)
    {
        using var output = new Head(maxLines, MessagePage.MaxBytes);
        using var errors = new MemoryStream();
        int code;
        using (var console = new ToolConsole(output, errors, TextReader.Null, isTerminal: false, hasColors: false))
        {
            code = await call.RunAsync(arguments, console, token).ConfigureAwait(false);
        }

        token.ThrowIfCancellationRequested();
        var lines = Encoding.UTF8.GetString(output.ToArray()).Split('\n', StringSplitOptions.RemoveEmptyEntries);
        var remarks = Encoding.UTF8.GetString(errors.ToArray()).TrimEnd('\n');

        // An answer is negative or not complete if messages break a rule of their schema, or a part cannot be read. The remarks name the missing part.
        var isAnswer = code == (int)ExitCode.Fine || lines.Length > 0;
        return isAnswer ? new CommandAnswer(lines, output.IsFull, remarks) : throw new RefusedException(RefusalKind.Failed, remarks);
    }

    /// <summary>A stream that ends after a number of lines, or after the line that reaches a number of bytes.</summary>
    private sealed class Head(int maxLines, int maxBytes) : MemoryStream
    {
        private int _lines;
        private bool _isInLine;

        /// <summary>Gets whether more was written.</summary>
        public bool IsFull { get; private set; }

        public override void Write(ReadOnlySpan<byte> buffer)
        {
            while (!buffer.IsEmpty && !IsFull)
            {
                IsFull = !_isInLine && (_lines == maxLines || Length >= maxBytes);
                var end = buffer.IndexOf((byte)'\n') + 1;
                var line = end == 0 ? buffer : buffer[..end];
                base.Write(IsFull ? [] : line);
                _isInLine = end == 0;
                _lines += _isInLine ? 0 : 1;
                buffer = buffer[line.Length..];
            }

            if (IsFull && !buffer.IsEmpty)
            {
                throw new OutputClosedException();
            }
        }
    }
}
