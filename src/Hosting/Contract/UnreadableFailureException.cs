namespace BufferedMessages.Hosting;

/// <summary>
/// The replacement for a handler's exception that cannot be read, because its <see cref="Exception.Message"/>, or that of an exception inside it, throws. Logs, spans and health checks read a failure,
/// and must not fail with it.
/// </summary>
internal sealed class UnreadableFailureException : Exception
{
    private UnreadableFailureException(Type failureType, Exception fault)
        : base($"The handler failed with a {failureType.FullName} that cannot be read: its ToString throws a {fault.GetType().FullName}.") => FailureType = failureType;

    /// <summary>The type of the handler's exception.</summary>
    public Type FailureType { get; }

    /// <summary>Returns a failure that can be read: the failure itself, or its replacement.</summary>
    public static Exception Replace(Exception failure)
    {
        try
        {
            // The text of a log line, which has the messages of all exceptions inside.
            _ = failure.ToString();
            return failure;
        }
        catch (Exception fault)
        {
            return new UnreadableFailureException(failure.GetType(), fault);
        }
    }

    /// <summary>The type of the last failure as metrics and clients of requests get it; <c>died</c> if there was none, because the process died in each attempt.</summary>
    public static string ErrorTypeOf(Exception? failure) => failure is null ? "died" : TypeNameOf(failure);

    /// <summary>The name of the type that a handler threw.</summary>
    public static string TypeNameOf(Exception failure) => ((failure as UnreadableFailureException)?.FailureType ?? failure.GetType()).FullName!;
}
