namespace BufferedMessages.Generator.Model;

/// <summary>How C# holds a nested message.</summary>
internal enum MessageForm
{
    /// <summary>A class; the reference may be null.</summary>
    Reference,

    /// <summary>A struct; it is never null.</summary>
    Value,

    /// <summary>A struct in a <see cref="Nullable{T}"/>.</summary>
    NullableValue,
}
