using System.Diagnostics.Metrics;
using System.Globalization;

namespace BufferedMessages.CrossProcess.Events;

/// <summary>What the started processes of the tests of listeners do.</summary>
internal static class EventParts
{
    public const int AllInstruments = 8;

    private const string MeterName = "BufferedMessages";
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(30);

    /// <summary>
    /// Listens to the meter, and throws as soon as it has an instrument. Then listens again without a fault, opens another participant, collects garbage, and says how many instruments there are.
    /// </summary>
    public static void ListenBadly(string[] arguments)
    {
        using var queue = Parts.Open(arguments[0]);
        using (var hasThrown = new ManualResetEventSlim())
        using (var bad = new MeterListener())
        {
            bad.InstrumentPublished = (instrument, _) =>
            {
                if (instrument.Meter.Name == MeterName)
                {
                    hasThrown.Set();
                    throw new InvalidOperationException("The listener fails.");
                }
            };
            bad.Start();
            using var first = queue.OpenProducer();
            Console.Out.WriteLine(hasThrown.Wait(Generous) ? "thrown" : "no instrument");
        }

        // A process that is going to end for the exception would not come here: it is told when the test has waited.
        Console.In.ReadLine();
        Console.Out.WriteLine(SpinWait.SpinUntil(() => OpensInstruments(queue), Generous) ? "instruments" : "none");
        for (var collection = 0; collection < 3; collection++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }

        using var producer = queue.OpenProducer();
        producer.Publish("counted"u8);
        Console.Out.WriteLine(Instruments(out var messages).ToString(CultureInfo.InvariantCulture));
        Console.Out.WriteLine(messages.ToString(CultureInfo.InvariantCulture));
    }

    // The meter that the listener made to fail may be there for a moment, with some of them.
    private static bool OpensInstruments(MessageQueue queue)
    {
        queue.OpenProducer().Dispose();
        return Instruments(out _) == AllInstruments;
    }

    private static int Instruments(out long messages)
    {
        var instruments = 0;
        var sent = 0L;
        using var listener = new MeterListener();
        listener.InstrumentPublished = (instrument, heard) =>
        {
            if (instrument.Meter.Name == MeterName)
            {
                instruments++;
                heard.EnableMeasurementEvents(instrument);
            }
        };
        listener.SetMeasurementEventCallback<long>((instrument, value, _, _) => sent += instrument.Name == "messaging.client.sent.messages" ? value : 0);
        listener.Start();
        listener.RecordObservableInstruments();
        messages = sent;
        return instruments;
    }
}
