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
        var schemas = new SchemaVersions(queue);
        using var walk = range.Walk(queue, call, out _);
        form.CreateOutput(call, schemas).Dispose();

        // A mistake in the command line leaves no file, which would be in the way of the next try.
        using var writing = file is null ? null : call.To(file);
        using var output = form.CreateOutput(writing ?? call, schemas);
        for (var left = count ?? long.MaxValue; left > 0 && walk.TryNext(out var delivery); left--)
        {
            output.Write(delivery);
        }

        return output.End();
    }
}
