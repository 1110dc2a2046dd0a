namespace BufferedMessages.CrossProcess.Torture;

/// <summary>The end of a round: reads what is left, checks that every published message came, and that the queue still works.</summary>
internal sealed class RoundEnd(RoundPlan plan, RoundNotes notes, Tally tally)
{
    private static readonly TimeSpan LastWait = TimeSpan.FromMilliseconds(300);
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(10);

    public void Check(string directory)
    {
        try
        {
            using var queue = MessageQueue.Open(directory, plan.Options);
            ReadToTheEnd(queue);
            CountLost();
            FindHalfBatches();
            CheckThatItStillWorks(queue);
        }
        catch (Exception exception)
        {
            notes.Fault(ref notes.Head.Corrupt, $"the end: {exception}");
        }

        Count();
    }

    private void ReadToTheEnd(MessageQueue queue)
    {
        for (var name = 0; name < plan.Members.Count; name++)
        {
            using var consumer = Open(queue, name);
            var check = new DeliveryCheck(notes, name, plan.Members[name] != 0, isCalm: false);
            while (consumer.TryRead(out var delivery, LastWait))
            {
                check.Deliver(delivery.Message.Bytes, delivery.Position, delivery.IsRedelivery);
                delivery.Commit();
                check.Commit();
            }
        }
    }

    private void CountLost()
    {
        for (var name = 0; name < plan.Members.Count; name++)
        {
            for (var incarnation = 0; incarnation < notes.Head.Incarnations; incarnation++)
            {
                for (var number = 0; number < notes.Published(incarnation); number++)
                {
                    if (!TortureMessage.IsEmpty(incarnation, number) && notes.Note(name, incarnation, number, Delivery.None) == Delivery.None)
                    {
                        CountLost(1, $"name {name}: message {number} of incarnation {incarnation} (published {notes.Published(incarnation)}) never came");
                    }
                }
            }

            CountLost(
                Math.Max(notes.Head.EmptyPublished - notes.Head.EmptyDelivered[name], 0),
                $"name {name}: {notes.Head.EmptyPublished} empty messages were published, {notes.Head.EmptyDelivered[name]} came");
        }
    }

    private void FindHalfBatches()
    {
        for (var name = 0; name < plan.Members.Count; name++)
        {
            for (var incarnation = 0; incarnation < notes.Head.Incarnations; incarnation++)
            {
                // The last batch may be published and not noted.
                var end = Math.Min(notes.Published(incarnation) + TortureMessage.MostInBatch, RoundNotes.MaxNumbers);
                for (var number = 0; number < end;)
                {
                    var (first, count) = TortureMessage.BatchOf(incarnation, number);
                    CheckBatch(name, incarnation, first, count);
                    number = first + count;
                }
            }
        }
    }

    private void CheckBatch(int name, int incarnation, int first, int count)
    {
        var (came, missing) = (0, 0);
        for (var number = first; number < first + count; number++)
        {
            if (!TortureMessage.IsEmpty(incarnation, number))
            {
                _ = notes.Note(name, incarnation, number, Delivery.None) == Delivery.None ? missing++ : came++;
            }
        }

        if (came != 0 && missing != 0)
        {
            notes.Fault(ref notes.Head.Halved, $"name {name}: of the batch of {count} messages from {first} of incarnation {incarnation} {came} came and {missing} did not");
        }
    }

    private void CountLost(long count, string text)
    {
        if (count == 0)
        {
            return;
        }

        if (tally.Lost == 0)
        {
            var ignored = 0L;
            notes.Fault(ref ignored, text);
        }

        tally.Lost += count;
    }

    private void CheckThatItStillWorks(MessageQueue queue)
    {
        var incarnation = Interlocked.Increment(ref notes.Head.Incarnations) - 1;
        using var producer = Worker.Open(notes, () => queue.OpenProducer());
        var message = new byte[100];
        TortureMessage.Write(message, incarnation, 0);
        if (!producer.TryPublish(message, out _, Generous, TortureMessage.PropertiesOf(incarnation, 0, message.Length)))
        {
            notes.Fault(ref notes.Head.Stalled, "the queue is read to its end and still full");
            return;
        }

        for (var name = 0; name < plan.Members.Count; name++)
        {
            using var consumer = Open(queue, name);
            if (!consumer.TryRead(out var delivery, Generous))
            {
                notes.Fault(ref notes.Head.Stalled, $"name {name}: the message after the round does not come");
                continue;
            }

            if (!delivery.Message.Bytes.SequenceEqual(message))
            {
                notes.Fault(ref notes.Head.Corrupt, $"name {name}: another message came after the last one");
            }

            delivery.Commit();
        }
    }

    private MessageConsumer<RawMessage> Open(MessageQueue queue, int name) => Worker.Open(
        notes,
        () => plan.Members[name] == 0 ? queue.OpenConsumer<RawMessage>(TortureNames.Of(name)) : queue.OpenConsumer<RawMessage>(TortureNames.Of(name), new() { Shared = true }));

    private void Count()
    {
        ref var head = ref notes.Head;
        for (var incarnation = 0; incarnation < head.Incarnations; incarnation++)
        {
            tally.Messages += notes.Published(incarnation);
        }

        tally.Halved += head.Halved;
        tally.Corrupt += head.Corrupt;
        tally.Disordered += head.Disordered;
        tally.Unflagged += head.Unflagged;
        tally.Stalled += head.Stalled;
        for (var bucket = 0; bucket < RoundNotes.LatencyBuckets; bucket++)
        {
            tally.Wakes[bucket] += head.Wakes[bucket];
        }
    }
}
