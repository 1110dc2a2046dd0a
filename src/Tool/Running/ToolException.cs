namespace BufferedMessages.Tool;

/// <summary>The end of a command, with a message for people.</summary>
/// <param name="message">The fault, its place, and what to do.</param>
/// <param name="code">The exit code.</param>
internal sealed class ToolException(string message, ExitCode code = ExitCode.Unanswered) : Exception(message)
{
    /// <summary>Gets the exit code.</summary>
    public ExitCode Code { get; } = code;
}
