namespace BufferedMessages;

/// <summary>The exception for an object that cannot be written as a union, because its type is not one of the declared cases.</summary>
public sealed class UndeclaredCaseException : Exception
{
    internal UndeclaredCaseException(Type union, Type objectType)
        : base($"An object of type '{objectType}' cannot be written as '{union}', which has no case for exactly this type. " +
            "Make the type a message source, and declare it with [BufferedCase<...>(...)] on the union.")
    {
        Union = union;
        ObjectType = objectType;
    }

    /// <summary>Gets the union.</summary>
    public Type Union { get; }

    /// <summary>Gets the type of the object.</summary>
    public Type ObjectType { get; }
}
