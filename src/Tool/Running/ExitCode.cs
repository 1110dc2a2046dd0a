namespace BufferedMessages.Tool;

/// <summary>The exit codes. They are a contract, as the JSON is: docs/tool.md lists them.</summary>
internal enum ExitCode
{
    /// <summary>All is well.</summary>
    Fine = 0,

    /// <summary>The answer is negative: damage was found, schemas differ, or nothing matched.</summary>
    Negative = 1,

    /// <summary>The answer is missing or not complete: the command line is wrong, the target is missing or cannot be read, or the output cannot be written.</summary>
    Unanswered = 2,
}
