namespace BufferedMessages.HostingBenchmarks;

/// <summary>The reply of the measurement.</summary>
[BufferedMessageSource]
public partial class Answer
{
    public long Id { get; set; }

    public string? Text { get; set; }
}
