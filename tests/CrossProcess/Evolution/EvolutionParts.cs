using System.Globalization;

namespace BufferedMessages.CrossProcess.Evolution;

/// <summary>Producers and consumers of two versions of a message.</summary>
internal static class EvolutionParts
{
    /// <summary>The message that ends a consumer.</summary>
    public const long End = -1;

    /// <summary>Publishes so many trades of a version, numbered from a first one on: <c>queue version first count</c>.</summary>
    public static void PublishTrades(string[] arguments)
    {
        using var queue = MessageQueue.Open(arguments[0]);
        var first = long.Parse(arguments[2], CultureInfo.InvariantCulture);
        var count = int.Parse(arguments[3], CultureInfo.InvariantCulture);
        if (arguments[1] == "1")
        {
            using var producer = queue.OpenProducer<Version1.Trade>();
            Say("ready");
            for (var id = first; id < first + count; id++)
            {
                producer.Publish(new Version1.Trade { Id = id, Text = TextOf(id) });
            }
        }
        else
        {
            using var producer = queue.OpenProducer<Version2.Trade>();
            Say("ready");
            for (var id = first; id < first + count; id++)
            {
                producer.Publish(new Version2.Trade { Id = id, Text = TextOf(id), Quantity = QuantityOf(id), Venue = TextOf(-id) });
            }
        }

        Say("published");
    }

    /// <summary>Answers each offer with one whose price is twice as high, and knows addresses and prices by their converters: <c>offers answers</c>.</summary>
    public static void DoubleOffers(string[] arguments)
    {
        using var offers = MessageQueue.Open(arguments[0]);
        using var answers = MessageQueue.Open(arguments[1]);
        using var consumer = offers.OpenConsumer<Converted.OfferBufferedMessage>("all");
        using var producer = answers.OpenProducer<Converted.Offer>();
        Say("ready");
        while (consumer.TryRead(out var delivery, TimeSpan.FromSeconds(30)))
        {
            var offer = delivery.Message.ToOffer();
            Say($"{offer.Site?.Host ?? "nowhere"} {offer.Price.ToString(CultureInfo.InvariantCulture)}");
            offer.Price *= 2;
            producer.Publish(offer);
            delivery.Commit();
        }
    }

    /// <summary>
    /// Reads trades until the end, and says how many there were and the sum of their numbers, or what is wrong with one:
    /// <c>queue version name all|group</c>.
    /// </summary>
    public static void ReadTrades(string[] arguments)
    {
        using var queue = MessageQueue.Open(arguments[0]);
        var isMember = arguments[3] == "group";
        if (arguments[1] == "1")
        {
            using var consumer = isMember
                ? queue.OpenConsumer<Version1.TradeBufferedMessage>(arguments[2], new() { Shared = true })
                : queue.OpenConsumer<Version1.TradeBufferedMessage>(arguments[2]);
            Say("ready");
            Say(Read(consumer));
        }
        else
        {
            using var consumer = isMember
                ? queue.OpenConsumer<Version2.TradeBufferedMessage>(arguments[2], new() { Shared = true })
                : queue.OpenConsumer<Version2.TradeBufferedMessage>(arguments[2]);
            Say("ready");
            Say(Read(consumer));
        }
    }

    /// <summary>Tries to open a producer of version 3, and says what came of it: <c>queue</c>.</summary>
    public static void OpenVersion3(string[] arguments)
    {
        using var queue = MessageQueue.Open(arguments[0]);
        try
        {
            using var producer = queue.OpenProducer<Version3.Trade>();
            Say("accepted");
        }
        catch (SchemaMismatchException exception)
        {
            Say(exception.Message);
        }
    }

    private static string Read(MessageConsumer<Version1.TradeBufferedMessage> consumer)
    {
        var (count, sum) = (0L, 0L);
        while (consumer.TryRead(out var delivery, Timeout.InfiniteTimeSpan))
        {
            var trade = delivery.Message;
            var id = trade.Id;
            if (id == End)
            {
                delivery.Commit();
                break;
            }

            if (trade.Text != TextOf(id))
            {
                return $"trade {id} is wrong";
            }

            count++;
            sum += id;
            delivery.Commit();
        }

        return $"{count} {sum}";
    }

    private static string Read(MessageConsumer<Version2.TradeBufferedMessage> consumer)
    {
        var (count, sum) = (0L, 0L);
        while (consumer.TryRead(out var delivery, Timeout.InfiniteTimeSpan))
        {
            var trade = delivery.Message;
            var id = trade.Id;
            if (id == End)
            {
                delivery.Commit();
                break;
            }

            // What version 1 did not know reads as zero and null.
            var isWhole = trade.Quantity == QuantityOf(id) && trade.Venue == TextOf(-id);
            var isOld = trade.Quantity == 0 && trade.Venue.IsNull;
            if (trade.Text != TextOf(id) || !(IsOfVersion2(id) ? isWhole : isOld))
            {
                return $"trade {id} is wrong";
            }

            count++;
            sum += id;
            delivery.Commit();
        }

        return $"{count} {sum}";
    }

    // Producers of version 2 begin at odd millions.
    private static bool IsOfVersion2(long id) => id / 1_000_000 % 2 == 1;

    private static int QuantityOf(long id) => (int)(id % 1_000) + 1;

    private static string TextOf(long id) => id.ToString(CultureInfo.InvariantCulture);

    private static void Say(string line) => Console.Out.WriteLine(line);
}
