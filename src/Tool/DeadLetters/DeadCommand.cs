using System.CommandLine;

namespace BufferedMessages.Tool;

/// <summary>Looks at the dead letters of a queue: messages that a bridge or a handler gave up, each kept in a queue of its own in the folder <c>dead</c>.</summary>
internal static class DeadCommand
{
    private const string Folder = "dead";

    public static Command Create()
    {
        var command = new Command("dead", "Look at the dead letters of a queue: messages that a bridge or a handler gave up.");
        command.Subcommands.Add(CreateLs());
        command.Subcommands.Add(CreateShow());
        return command;
    }

    private static ToolCommand CreateLs()
    {
        var queue = Queue();
        var command = new ToolCommand("ls", "List the bridges and handlers that gave messages up, and how many.", "dead ls /var/lib/shop/orders") { queue };
        command.Run(call => List(call, call.Value(queue)));
        return command;
    }

    private static ToolCommand CreateShow()
    {
        var queue = Queue();
        var name = new Argument<string>("NAME") { Description = "The bridge or handler, as `dead ls` shows it." };
        var command = new ToolCommand("show", "Show dead letters with their reasons, decoded by the schema of the queue that they come from.", "dead show /var/lib/shop/orders billing") { queue, name };
        command.Run(call => Show(call, call.Value(queue), call.Value(name)));
        return command;
    }

    private static Argument<string> Queue() => new("QUEUE") { Description = $"The queue: {TargetResolver.Help}." };

    private static ExitCode List(Call call, string path)
    {
        var table = new TextTable("NAME", "MESSAGES>", "BYTES>");
        foreach (var target in In(TargetResolver.Find(path, TargetKind.Queue)))
        {
            using var letters = MessageQueue.OpenReadOnly(target.Path);
            var (count, bytes) = (Count(letters, call), letters.GetStatistics().Bytes);
            if (call.IsJson)
            {
                call.Json.Write((target.Name, count, bytes), static (json, letters) =>
                {
                    json.WriteStartObject();
                    json.WriteString("name"u8, letters.Name);
                    json.WriteNumber("messages"u8, letters.count);
                    json.WriteNumber("bytes"u8, letters.bytes);
                    json.WriteEndObject();
                });
            }
            else
            {
                table.Add(target.Name, Quantity.Of(count), Quantity.Of(bytes));
            }
        }

        table.Write(call.Out, call.Palette);
        return ExitCode.Fine;
    }

    private static long Count(MessageQueue letters, Call call)
    {
        var count = 0L;
        using var walk = new QueueWalk(letters, QueueStart.Earliest, letters.PublishedPosition, call);
        while (walk.TryNext(out _))
        {
            count++;
        }

        return count;
    }

    private static ExitCode Show(Call call, string path, string name)
    {
        var source = TargetResolver.Find(path, TargetKind.Queue);
        List<Target> all = [.. In(source)];
        var found = all.Find(target => string.Equals(target.Name, name, StringComparison.Ordinal))
            ?? throw Nearby.MissingName($"The queue has no dead letters of '{name}'.", name, [.. all.Select(static target => target.Name)]);
        using var queue = MessageQueue.OpenReadOnly(source.Path);
        using var letters = MessageQueue.OpenReadOnly(found.Path);
        using var output = new RecordOutput(call, new SchemaVersions(letters.Schemas.Count > 0 ? letters : queue), showProperties: true);
        using var walk = new QueueWalk(letters, QueueStart.Earliest, letters.PublishedPosition, call);
        while (walk.TryNext(out var delivery))
        {
            output.Write(delivery);
        }

        return output.End();
    }

    private static IEnumerable<Target> In(Target queue)
    {
        var folder = Path.Combine(queue.Path, Folder);
        return Directory.Exists(folder) ? MessageQueue.List(folder).Select(static path => new Target(TargetKind.Queue, path)) : [];
    }
}
