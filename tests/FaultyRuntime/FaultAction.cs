namespace BufferedMessages.Segments;

/// <summary>What happens to a process at a fault point.</summary>
internal enum FaultAction
{
    /// <summary>It kills itself, as <c>kill -9</c> does.</summary>
    Kill,

    /// <summary>It stops itself, as <c>kill -STOP</c> does, until somebody lets it go on.</summary>
    Stop,

    /// <summary>The thread sleeps for the given time.</summary>
    Sleep,
}
