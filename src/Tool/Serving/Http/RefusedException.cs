namespace BufferedMessages.Tool;

/// <summary>A request gets a sentence instead of an answer.</summary>
internal sealed class RefusedException(RefusalKind kind, string message) : Exception(message)
{
    /// <summary>Gets why.</summary>
    public RefusalKind Kind { get; } = kind;
}

/// <summary>The reasons to refuse a request. Their numbers are those of HTTP.</summary>
internal enum RefusalKind
{
    /// <summary>The request is not complete or not understood.</summary>
    Malformed = 400,

    /// <summary>It is not allowed here.</summary>
    Forbidden = 403,

    /// <summary>There is no such thing.</summary>
    Missing = 404,

    /// <summary>Only GET is understood, and POST for changes.</summary>
    Method = 405,

    /// <summary>The command that answers it ended with a sentence instead.</summary>
    Failed = 422,
}
