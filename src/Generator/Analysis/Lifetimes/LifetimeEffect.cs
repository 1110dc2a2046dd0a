namespace BufferedMessages.Generator.Analysis;

/// <summary>What a call does to the lifetimes that depend on what it is made on.</summary>
internal enum LifetimeEffect
{
    /// <summary>Nothing.</summary>
    None,

    /// <summary>Closes it, and ends every view of it.</summary>
    Close,

    /// <summary>It goes on: what it gave ends, and it stays open itself.</summary>
    Advance,

    /// <summary>Closes the delivery whose position is the first argument.</summary>
    CommitThrough,
}
