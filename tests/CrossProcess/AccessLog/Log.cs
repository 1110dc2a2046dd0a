using BufferedMessages.Samples.AccessLog;

namespace BufferedMessages.CrossProcess.AccessLog;

/// <summary>A whole access log.</summary>
[BufferedMessageSource]
internal sealed partial class Log
{
    public List<LogLine> Lines { get; set; } = [];

    /// <summary>Parses a file of Apache's combined log format.</summary>
    public static Log Parse(string path) => new() { Lines = [.. File.ReadLines(path).Select(ParseLine)] };

    private static LogLine ParseLine(string text, int index)
    {
        var fault = CombinedFormat.Read(text, out var request);
        return new LogLine { Number = index + 1, Request = request, Fault = fault };
    }
}
