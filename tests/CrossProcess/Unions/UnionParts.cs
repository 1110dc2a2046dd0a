using System.Globalization;
using BufferedMessages.CrossProcess.Unions.Version1;

namespace BufferedMessages.CrossProcess.Unions;

/// <summary>Processes that read a queue of a union.</summary>
internal static class UnionParts
{
    /// <summary>Reads so many events with the older version, and says what was in each: <c>queue count</c>.</summary>
    public static void ReadEvents(string[] arguments)
    {
        using var queue = MessageQueue.Open(arguments[0]);
        using var consumer = queue.OpenConsumer<AccountEventBufferedMessage>("reader");
        for (var left = int.Parse(arguments[1], CultureInfo.InvariantCulture); left > 0; left--)
        {
            consumer.TryRead(out var delivery, Timeout.InfiniteTimeSpan);
            using (delivery)
            {
                Console.Out.WriteLine(Describe(delivery.Message));
                delivery.Commit();
            }
        }
    }

    private static string Describe(AccountEventBufferedMessage message) => message.Case switch
    {
        AccountEventCase.Opened => $"opened {message.AsOpened().Owner}",
        AccountEventCase.Paid => $"paid {message.AsPaid().Cents}",
        _ => message.IsUnknown ? $"unknown {(int)message.Case}" : "null",
    };
}
