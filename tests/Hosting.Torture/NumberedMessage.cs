namespace BufferedMessages.Hosting.Torture;

/// <summary>The message of the torture: a number, and its effect on each handler.</summary>
[BufferedMessageSource]
public partial class NumberedMessage
{
    /// <summary>Gets or sets the number: each message has the next one.</summary>
    public long Number { get; set; }

    /// <summary>Gets or sets the mischief of the message for each handler, four bits each, the first handler's in the lowest.</summary>
    public int Mischief { get; set; }
}
