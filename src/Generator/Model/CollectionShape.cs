namespace BufferedMessages.Generator.Model;

/// <summary>The C# type of a list or a binary.</summary>
internal enum CollectionShape
{
    /// <summary>An array.</summary>
    Array,

    /// <summary>An interface without writing members: an array implements it.</summary>
    ReadOnlyInterface,

    /// <summary><see cref="List{T}"/>, or an interface with writing members that it implements.</summary>
    List,

    /// <summary>An immutable array; its default value is null.</summary>
    ImmutableArray,

    /// <summary>A nullable immutable array.</summary>
    NullableImmutableArray,

    /// <summary>A memory; it is never null.</summary>
    Memory,

    /// <summary>A nullable memory.</summary>
    NullableMemory,

    /// <summary>A read-only memory; it is never null.</summary>
    ReadOnlyMemory,

    /// <summary>A nullable read-only memory.</summary>
    NullableReadOnlyMemory,
}
