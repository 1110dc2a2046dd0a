using System.Diagnostics;

namespace BufferedMessages.Samples.QuickStart;

/// <summary>Opens what the process of an earlier run may hold for a moment: it stops as soon as it sees that its partner was killed.</summary>
internal static class Patience
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(10);

    public static T Open<T>(Func<T> open)
    {
        var start = Stopwatch.GetTimestamp();
        while (true)
        {
            try
            {
                return open();
            }
            catch (QueueInUseException) when (Stopwatch.GetElapsedTime(start) < Limit)
            {
                Thread.Sleep(20);
            }
        }
    }
}
