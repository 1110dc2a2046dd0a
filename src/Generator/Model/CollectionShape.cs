namespace BufferedMessages.Generator.Model;

/// <summary>The C# type of a list or a binary. The shapes before <see cref="Interface"/> hold contiguous elements.</summary>
internal enum CollectionShape
{
    /// <summary>An array.</summary>
    Array,

    /// <summary><see cref="List{T}"/>.</summary>
    List,

    /// <summary>An array segment; its default value is null.</summary>
    ArraySegment,

    /// <summary>A nullable array segment.</summary>
    NullableArraySegment,

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

    /// <summary>A mutable interface; the copy is a <see cref="List{T}"/>.</summary>
    Interface,

    /// <summary>A read-only interface; the copy is an array.</summary>
    ReadOnlyInterface,

    /// <summary>Another collection, which the reader's array is copied to.</summary>
    Copied,
}
