namespace BufferedMessages.Samples.AccessLog;

/// <summary>A request, as Apache's combined log format tells it: <c>%h %l %u %t "%r" %&gt;s %b "%{Referer}i" "%{User-agent}i"</c>.</summary>
[BufferedMessageSource]
public partial class Request
{
    /// <summary>Address or name of the client.</summary>
    public string Client { get; set; } = "";

    /// <summary>Null when the log has a hyphen.</summary>
    public string? User { get; set; }

    public DateTimeOffset Time { get; set; }

    /// <summary>Null when the request is not of three words.</summary>
    public string? Method { get; set; }

    /// <summary>Path and query as they were sent; the whole request when it is not of three words.</summary>
    public string Path { get; set; } = "";

    /// <summary>Null when the request is not of three words.</summary>
    public string? Protocol { get; set; }

    public ushort Status { get; set; }

    /// <summary>Bytes of the answer's body; null when the log has a hyphen.</summary>
    public long? Bytes { get; set; }

    /// <summary>Null when the log has a hyphen.</summary>
    public string? Referrer { get; set; }

    /// <summary>Null when the log has a hyphen.</summary>
    public string? UserAgent { get; set; }
}
