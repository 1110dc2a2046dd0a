namespace BufferedMessages;

/// <summary>An object cannot be written as a union, because its type is none of the union's declared cases.</summary>
public sealed class UndeclaredCaseException : Exception
{
    internal UndeclaredCaseException(Type union, Type objectType)
        : base($"An object of type '{objectType}' cannot be written as '{union}', which has no case for exactly this type. " +
            "Make the type a message source, and declare it with [BufferedCase<...>(...)] on the union.")
    {
        Union = union;
        ObjectType = objectType;
    }

    /// <summary>The union.</summary>
    public Type Union { get; }

    /// <summary>The type of the object.</summary>
    public Type ObjectType { get; }
}
