namespace BufferedMessages.Queues;

/// <summary>The kinds of properties, as they are stored.</summary>
internal enum PropertyKind : ushort
{
    /// <summary>No property: the entries end here.</summary>
    None,

    /// <summary>The time of publishing, i64 UTC ticks.</summary>
    Time,

    /// <summary>Trace id, span id and flags of W3C Trace Context in 25 bytes, and the trace state.</summary>
    Trace,

    /// <summary>The id of a queue, and an epoch and a position in it.</summary>
    Source,

    /// <summary>A text.</summary>
    CorrelationId,

    /// <summary>A text.</summary>
    ReplyTo,

    /// <summary>A number, u32.</summary>
    Attempts,

    /// <summary>A text.</summary>
    Reason,

    /// <summary>u16 bytes of the name, the name, the value.</summary>
    Header,
}
