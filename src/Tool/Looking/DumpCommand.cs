using System.CommandLine;

namespace BufferedMessages.Tool;

/// <summary>Writes a part of a queue, or all of it.</summary>
internal static class DumpCommand
{
    public static Command Create()
    {
        var queue = TargetResolver.QueueArgument();
        var range = new RangeOptions();
        var count = CountOption.Create<long>("The largest number of messages to write.");
        var file = new Option<string?>("--out") { Description = "Write to this file, which must not exist.", HelpName = "FILE" };
        var form = new RecordOptions();
        var command = new ToolCommand(
            "dump", "Write all messages, or those of a range.", "dump /var/lib/shop/orders --json", "dump /var/lib/shop/orders --from -2h --to -1h --out orders.txt") { queue, range.From, range.To, count, file };
        form.AddTo(command);
        command.Run(call => Write(call, call.Value(queue), range, call.Value(count), call.Value(file), form));
        return command;
    }

    private static ExitCode Write(Call call, string path, RangeOptions range, long? count, string? file, RecordOptions form)
    {
        using var queue = TargetResolver.OpenQueue(path);
        using var walk = range.Walk(queue, call, out _);
        if (file is null)
        {
            return Write(call, queue, walk, count, form);
        }

        // A file with only the first messages would be taken for all of them, and be in the way of the next try.
        using var created = new NewFile(file);
        ExitCode code;
        using (var writing = call.To(created.UnfinishedPath))
        {
            code = Write(writing, queue, walk, count, form);
            writing.Out.Flush();
        }

        created.Complete();
        return code;
    }

    private static ExitCode Write(Call call, MessageQueue queue, QueueWalk walk, long? count, RecordOptions form)
    {
        using var output = form.CreateOutput(call, new SchemaVersions(queue));
        for (var left = count ?? long.MaxValue; left > 0 && walk.TryNext(out var delivery); left--)
        {
            output.Write(delivery);
        }

        return output.End();
    }
}
