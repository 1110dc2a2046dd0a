namespace BufferedMessages.Segments;

/// <summary>A mistake in the protocol that a test plants, to see that the checker reports what comes of it.</summary>
[Flags]
internal enum PlantedFault
{
    None = 0,

    /// <summary>Whoever stands in the way is taken for dead.</summary>
    RobLiveOwner = 1,

    /// <summary>Each lap of a ring slot has the same free word.</summary>
    NoFreeWordPerLap = 2,

    /// <summary>The low watermark reads what members have taken before it reads the group's claim word, and is looked at once. (A second look would hide it.)</summary>
    WatermarkReadsClaimLast = 4,

    /// <summary>A publisher looks for waiters before its commit is visible.</summary>
    NoFenceBeforeWake = 8,

    /// <summary>No mistake by itself: sleeps last for a second, so that a wake that was missed shows.</summary>
    LongSleeps = 16,

    /// <summary>The first record of a batch is published before the others.</summary>
    SplitBatches = 32,
}
