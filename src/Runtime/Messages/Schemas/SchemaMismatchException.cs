namespace BufferedMessages;

/// <summary>The exception that is thrown when two schemas that should work together differ in the kind of a member.</summary>
public sealed class SchemaMismatchException : Exception
{
    internal SchemaMismatchException(string message, string line, string otherLine)
        : base(message)
    {
        Line = line;
        OtherLine = otherLine;
    }

    /// <summary>Gets the differing line in the schema of the type at hand.</summary>
    public string Line { get; }

    /// <summary>Gets the differing line in the other schema, for example the one stored in the queue.</summary>
    public string OtherLine { get; }
}
