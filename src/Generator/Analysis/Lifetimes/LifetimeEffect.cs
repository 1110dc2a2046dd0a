namespace BufferedMessages.Generator.Analysis;

/// <summary>The effect of a call on the lifetimes that depend on its receiver.</summary>
internal enum LifetimeEffect
{
    /// <summary>No effect.</summary>
    None,

    /// <summary>The receiver is closed, and every view of it ends.</summary>
    Close,

    /// <summary>The receiver advances: its earlier results end, and it stays open.</summary>
    Advance,

    /// <summary>The delivery at the position in the first argument is closed.</summary>
    CommitThrough,
}
