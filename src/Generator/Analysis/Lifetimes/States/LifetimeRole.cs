namespace BufferedMessages.Generator.Analysis;

/// <summary>The role of a value in the lifetime rules.</summary>
internal enum LifetimeRole
{
    /// <summary>A value that the rules do not track.</summary>
    None,

    /// <summary>A value that reads the bytes of a holder: a view, a string or list of it, a span, a memory, a reference.</summary>
    View,

    /// <summary>The position of a delivery's message.</summary>
    Position,

    /// <summary>A delivery, or a task of one. It is closed by its own members, and by its consumer's next read.</summary>
    Delivery,

    /// <summary>A claim, a builder, an owner or a lease. It is closed only by its own members.</summary>
    Holder,

    /// <summary>A message of a stream, an entry of an enumeration, or the context of a handler's message. It has nothing to close, and ends when its parent changes.</summary>
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
