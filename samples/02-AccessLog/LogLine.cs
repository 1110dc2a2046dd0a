namespace BufferedMessages.Samples.AccessLog;

/// <summary>One line of the log: a request, or what is wrong with the line. The last message has neither.</summary>
[BufferedMessageSource]
public partial class LogLine
{
    /// <summary>From 1 on.</summary>
    public long Number { get; set; }

    public Request? Request { get; set; }

    /// <summary>Why the line is not in the combined format.</summary>
    public string? Fault { get; set; }
}
