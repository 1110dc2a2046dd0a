namespace BufferedMessages.Generator.Model;

/// <summary>The form of a nested message, or of a type with a converter, in C#.</summary>
internal enum MessageForm
{
    /// <summary>A class; the reference may be null.</summary>
    Reference,

    /// <summary>A struct; it is never null.</summary>
    Value,

    /// <summary>A struct in a <see cref="Nullable{T}"/>.</summary>
    NullableValue,
}
