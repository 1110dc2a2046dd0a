using BufferedMessages;

namespace Toolkit.Benchmarks.Messages.Documents;

/// <summary>A web server's access log as one message.</summary>
[BufferedMessageSource]
public sealed partial class AccessLog
{
    public List<LogRequest>? Requests { get; set; }
}

/// <summary>A request. Times are seconds since 1970, so that all libraries store the same.</summary>
[BufferedMessageSource]
public sealed partial class LogRequest
{
    public string? Client { get; set; }
    public long Time { get; set; }
    public string? Method { get; set; }
    public string? Path { get; set; }
    public int Status { get; set; }
    public long? Bytes { get; set; }
    public string? Referrer { get; set; }
    public string? UserAgent { get; set; }
}
