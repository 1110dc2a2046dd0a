namespace BufferedMessages;

/// <summary>
/// The exception for a union that cannot be copied into an object, because a newer program wrote a case that this one does not know. Views read it as unknown.
/// </summary>
public sealed class UnknownCaseException : Exception
{
    internal UnknownCaseException(Type union, int number)
        : base($"The message holds the case {number} of '{union}', which this program does not know, so no object can be created from it without losing data. " +
            "Check IsUnknown of the view first, or replace this program with one that knows the case.")
    {
        Union = union;
        Number = number;
    }

    /// <summary>Gets the union.</summary>
    public Type Union { get; }

    /// <summary>Gets the number of the case in the message.</summary>
    public int Number { get; }
}
