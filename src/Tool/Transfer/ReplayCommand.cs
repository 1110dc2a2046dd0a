using System.CommandLine;
using BufferedMessages.Queues;

namespace BufferedMessages.Tool;

/// <summary>Publishes the messages of a queue in another one.</summary>
internal static class ReplayCommand
{
    public static Command Create()
    {
        var source = new Argument<string>("QUEUE1") { Description = $"The queue with the messages: {TargetResolver.Help}." };
        var destination = new Argument<string>("QUEUE2") { Description = "The queue that gets them." };
        var range = new RangeOptions();
        var speed = ReplaySpeed.Option();
        var where = new Option<string?>("--where") { Description = "Only messages that satisfy a condition, as for `grep`.", HelpName = "EXPR" };
        var mapTime = new Option<bool>("--map-time") { Description = "Give the messages new times, which begin now and keep the old intervals." };
        var create = new Option<bool>("--create") { Description = "Create QUEUE2, like QUEUE1, if it does not exist." };
        var command = new ToolCommand(
            "replay",
            "Publish the messages of a queue in another one: the same bytes and properties, and the id of the message as its source.",
            "replay /var/lib/shop/orders ./test --create --speed 10x --map-time",
            "replay /var/lib/shop/orders ./test --where 'Id > 5'") { source, destination, range.From, range.To, speed, where, mapTime, create };
        command.Run(call =>
        {
            using var queue = TargetResolver.OpenQueue(call.Value(source));
            using var walk = range.Walk(queue, call, out _);
            using var filter = call.Value(where) is { } condition ? RecordFilter.Create(new SchemaVersions(queue), condition, pattern: null) : null;
            return Replay(call, queue, walk, filter, call.Value(destination), call.Value(create), call.Value(speed), call.Value(mapTime));
        });
        return command;
    }

    private static ExitCode Replay(Call call, MessageQueue queue, QueueWalk walk, RecordFilter? filter, string given, bool isCreated, ReplaySpeed speed, bool mapsTime)
    {
        var sum = new TransferSum();
        if (queue.Content is { } content)
        {
            using var progress = new ProgressLine(call, "replayed", totalBytes: 0);
            using var destination = Destination.Open(call, given, isCreated, queue.GetOptions(), content);
            if (destination.Id == queue.Id)
            {
                throw new ToolException("Both are the same queue, or copies of its folder, which have the same id. Replay the messages into another queue.");
            }

            try
            {
                Publish(walk, filter, destination, new ReplayClock(speed, call.Token), speed.Factor is not null, mapsTime, sum, progress);
                destination.AwaitDisk(call.Token);
            }
            catch
            {
                progress.Dispose();
                sum.WriteInterrupted(call, "replayed");
                throw;
            }
        }
        else
        {
            // The queue never had a message. The destination must be there, or be made, as for one that had.
            Destination.OpenQueue(given, isCreated, queue.GetOptions()).Dispose();
        }

        sum.Write(call, "replayed");
        filter?.Report(call);
        return filter is { Malformed: > 0 } ? ExitCode.Negative : ExitCode.Fine;
    }

    private static void Publish(QueueWalk walk, RecordFilter? filter, Destination destination, ReplayClock clock, bool isPaced, bool mapsTime, TransferSum sum, ProgressLine progress)
    {
        while (walk.TryNext(out var delivery))
        {
            var payload = delivery.Message.Bytes;
            if (filter is not null && !filter.Matches(payload))
            {
                continue;
            }

            var time = delivery.Properties.Time;
            if (time is null && (isPaced || mapsTime))
            {
                throw new ToolException($"The message at position {delivery.Position} has no time: its producer did not stamp one. Replay with --speed max and without --map-time.");
            }

            if (isPaced)
            {
                clock.Await(time!.Value);
            }

            destination.Publish(payload, delivery.Properties.Entries, new CopyStamps(delivery.Id, mapsTime ? clock.Map(time!.Value) : null));
            sum.Add(delivery.End, payload.Length);
            progress.Add(payload.Length);
        }
    }
}
