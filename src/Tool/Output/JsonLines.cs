using System.Buffers;
using System.Text.Json;

namespace BufferedMessages.Tool;

/// <summary>JSON for programs: a line for each object. All characters outside of ASCII are escaped, so a terminal shows them safely too.</summary>
/// <param name="output">The receiver.</param>
internal sealed class JsonLines(Utf8Output output) : IDisposable
{
    private readonly ArrayBufferWriter<byte> _line = new();
    private Utf8JsonWriter? _json;

    /// <summary>Writes a line.</summary>
    /// <param name="state">Passed to <paramref name="write"/>.</param>
    /// <param name="write">Writes one object.</param>
    public void Write<TState>(TState state, Action<Utf8JsonWriter, TState> write)
        where TState : allows ref struct
    {
        _line.ResetWrittenCount();
        _json ??= new Utf8JsonWriter(_line);
        _json.Reset(_line);
        write(_json, state);
        _json.Flush();
        output.WriteUtf8Line(_line.WrittenSpan);
    }

    public void Dispose() => _json?.Dispose();
}
