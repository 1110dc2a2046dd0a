namespace BufferedMessages.Caching;

/// <summary>How a change of a shared cache ended.</summary>
internal enum ChangeOutcome
{
    /// <summary>It was made, and there was an entry to remove or to touch.</summary>
    Done = 1,

    /// <summary>There was no entry to remove or to touch.</summary>
    NothingThere = 2,

    /// <summary>The entry is too large.</summary>
    TooLarge = 3,

    /// <summary>The disk is full.</summary>
    DiskFull = 4,

    /// <summary>Leases hold all segments.</summary>
    NoSegment = 5,

    /// <summary>Another failure.</summary>
    Failed = 6,
}
