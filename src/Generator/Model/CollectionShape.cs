namespace BufferedMessages.Generator.Model;

/// <summary>The C# type of a list or a binary. Those in front of <see cref="Interface"/> hold their elements in one piece.</summary>
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

    /// <summary>An interface with writing members: a <see cref="List{T}"/> implements it.</summary>
    Interface,

    /// <summary>An interface without writing members: an array implements it.</summary>
    ReadOnlyInterface,

    /// <summary>An immutable list.</summary>
    ImmutableList,

    /// <summary>A queue, from the first that it gives on.</summary>
    Queue,

    /// <summary>A stack, from the first that it gives on.</summary>
    Stack,

    /// <summary>A linked list.</summary>
    LinkedList,

    /// <summary>A collection that a user's class may derive from.</summary>
    Collection,

    /// <summary>A collection that cannot be changed.</summary>
    ReadOnlyCollection,

    /// <summary>A collection that tells of its changes.</summary>
    ObservableCollection,
}
