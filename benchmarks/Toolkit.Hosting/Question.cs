namespace BufferedMessages.HostingBenchmarks;

/// <summary>The request of the measurement.</summary>
[BufferedMessageSource]
public partial class Question
{
    public long Id { get; set; }

    public string? Text { get; set; }
}
