using System.CommandLine;

namespace BufferedMessages.Tool;

/// <summary>Shows the last messages of a queue, and those to come.</summary>
internal static class TailCommand
{
    private const int DefaultCount = 10;

    public static Command Create()
    {
        var queue = TargetResolver.QueueArgument();
        var count = CountOption.Create<int>($"The largest number of messages to show; without --from and --name, the last {DefaultCount}.");
        var follow = new Option<bool>("-f", "--follow") { Description = "Wait for more messages, until Ctrl-C." };
        var from = StartArgument.Option("--from", "Where to begin");
        var name = new Option<string?>("--name") { Description = "Begin at the position of this consumer name: at its next message.", HelpName = "NAME" };
        var form = new RecordOptions();
        var command = new ToolCommand(
            "tail",
            "Show the last messages, decoded by the schema in the queue. The queue does not notice it.",
            "tail /var/lib/shop/orders -n 2",
            "tail /var/lib/shop/orders -f --json",
            "tail /var/lib/shop/orders --name shipping -n 1 --explain",
            "tail /var/lib/shop/orders --from -10m --format \"{Position} {Note}\"") { queue, count, follow, from, name };
        form.AddTo(command);
        command.Validators.Add(result =>
        {
            if (result.GetResult(from) is { Implicit: false } && result.GetResult(name) is { Implicit: false })
            {
                result.AddError("Give --from or --name, not both.");
            }
        });
        command.Run(call => Show(call, call.Value(queue), call.Value(count), call.Value(follow), call.Value(from), call.Value(name), form));
        return command;
    }

    private static ExitCode Show(Call call, string path, int? count, bool isFollowed, StartArgument? from, string? name, RecordOptions form)
    {
        using var queue = TargetResolver.OpenQueue(path);
        var schemas = new SchemaVersions(queue);
        using var output = form.CreateOutput(call, schemas);
        var start = name is not null ? ConsumerNames.StartOf(queue, name) : from?.Start;
        var end = queue.PublishedPosition;
        var begin = start ?? LastRecords.StartOf(queue, count ?? DefaultCount, end, call);
        var left = start is null ? long.MaxValue : count ?? long.MaxValue;
        try
        {
            using var walk = Places.Walk(queue, begin, isFollowed ? null : end, call, wasFound: start is null);
            while (left-- > 0 && walk.TryNext(out var delivery))
            {
                output.Write(delivery);
            }
        }
        catch (OperationCanceledException) when (isFollowed)
        {
            // Ctrl-C is how a person ends it.
        }

        return output.End();
    }
}
