namespace BufferedMessages.Runtime.Tests;

/// <summary>What an action allocates on this thread.</summary>
internal static class Allocations
{
    /// <summary>The number of times that an action may be tried.</summary>
    public const int Attempts = 5;

    /// <summary>
    /// Holds that an action allocates nothing. A collection in another test gives up the rest of this thread's allocation buffer, which counts as allocated:
    /// code that allocates does so at every attempt.
    /// </summary>
    public static void AssertNone(Action action)
    {
        var fewest = long.MaxValue;
        for (var attempt = 0; attempt < Attempts && fewest != 0; attempt++)
        {
            var before = GC.GetAllocatedBytesForCurrentThread();
            action();
            fewest = Math.Min(fewest, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        Assert.Equal(0, fewest);
    }
}
