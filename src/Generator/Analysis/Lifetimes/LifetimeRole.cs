namespace BufferedMessages.Generator.Analysis;

/// <summary>What a value is to the rules about lifetimes.</summary>
internal enum LifetimeRole
{
    /// <summary>Nothing that the rules follow.</summary>
    None,

    /// <summary>Reads bytes that something else holds: a view, a string or list of it, a span, a memory, a reference.</summary>
    View,

    /// <summary>The position of a delivery's message.</summary>
    Position,

    /// <summary>A delivery, or a task of one. It is closed by its own members, and when its consumer reads on.</summary>
    Delivery,

    /// <summary>A claim, a builder, an owner or a lease. It is closed by its own members alone.</summary>
    Holder,

    /// <summary>A message of a stream, or an entry of an enumeration. It has nothing to close, and ends when its parent changes.</summary>
    Part,

    /// <summary>A consumer or a reader.</summary>
    Consumer,

    /// <summary>A queue.</summary>
    Queue,

    /// <summary>A pooled stream.</summary>
    Stream,

    /// <summary>An enumeration of a cache.</summary>
    Enumeration,

    /// <summary>A loop over deliveries, or its enumerator.</summary>
    Loop,

    /// <summary>An array, or an owner of memory.</summary>
    Memory,
}
