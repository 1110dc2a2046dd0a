using System.CommandLine;
using BufferedMessages.Hosting;

namespace BufferedMessages.Tool;

/// <summary>Looks at the dead letters of a queue, publishes them again and drops them.</summary>
internal static class DeadCommand
{
    public static Command Create()
    {
        var command = new Command("dead", "Show, requeue or drop the dead letters of a queue: messages that a handler or a bridge gave up on.");
        command.Subcommands.Add(CreateLs());
        command.Subcommands.Add(CreateShow());
        command.Subcommands.Add(CreateRequeue());
        command.Subcommands.Add(CreateDrop());
        return command;
    }

    private static ToolCommand CreateLs()
    {
        var selection = new DeadLetterSelection();
        var command = new ToolCommand(
            "ls", "List the handlers and bridges that gave up on messages, and how many of these are left.", "dead ls /var/lib/shop/orders", "dead ls /var/lib/shop/orders --reason timeout");
        selection.AddTo(command);
        command.Run(call => List(call, selection));
        return command;
    }

    private static ToolCommand CreateShow()
    {
        var selection = new DeadLetterSelection();
        var command = new ToolCommand("show", "Show dead letters with their reasons.", "dead show /var/lib/shop/orders --handler billing");
        selection.AddTo(command);
        command.Run(call => Show(call, selection));
        return command;
    }

    private static ToolCommand CreateRequeue()
    {
        var selection = new DeadLetterSelection();
        var yes = Confirmation.Option();
        var command = new ToolCommand(
            "requeue",
            "Publish dead letters in the queue again, as new messages, and remove them. Every consumer name of the queue gets them. While the queue is full it waits.",
            "dead requeue /var/lib/shop/orders --handler billing --reason 'timeout|refused'",
            "dead requeue /var/lib/shop/orders --handler billing --position 4096 --yes");
        selection.AddTo(command);
        command.Options.Add(yes);
        command.Run(call => Remove(call, selection, call.Value(yes), publishes: true));
        return command;
    }

    private static ToolCommand CreateDrop()
    {
        var selection = new DeadLetterSelection();
        var yes = Confirmation.Option();
        var command = new ToolCommand("drop", "Remove dead letters for good.", "dead drop /var/lib/shop/orders --handler billing --reason 'unknown article' --yes");
        selection.AddTo(command);
        command.Options.Add(yes);
        command.Run(call => Remove(call, selection, call.Value(yes), publishes: false));
        return command;
    }

    private static ExitCode List(Call call, DeadLetterSelection selection)
    {
        var table = new TextTable("NAME", "MESSAGES>", "BYTES>", "OLDEST");
        var found = selection.FindReadable(call, selection.QueuePath(call), out var code);
        foreach (var (handler, letters) in found)
        {
            var bytes = letters.Sum(static letter => (long)letter.Bytes);

            // One that had no room for its properties has no time.
            var oldest = letters.Min(static letter => letter.Time);
            if (call.IsJson)
            {
                call.Json.Write((handler, letters.Count, bytes, oldest), static (json, row) =>
                {
                    json.WriteStartObject();
                    json.WriteString("name"u8, row.handler);
                    json.WriteNumber("messages"u8, row.Count);
                    json.WriteNumber("bytes"u8, row.bytes);
                    if (row.oldest is { } time)
                    {
                        json.WriteString("oldest"u8, time.UtcDateTime);
                    }

                    json.WriteEndObject();
                });
            }
            else
            {
                table.Add(handler, Quantity.Of(letters.Count), Quantity.Of(bytes), oldest is { } time ? Quantity.Moment(time) : "");
            }
        }

        table.Write(call.Out, call.Palette);
        return code;
    }

    private static ExitCode Show(Call call, DeadLetterSelection selection)
    {
        var path = selection.QueuePath(call);
        using var queue = MessageQueue.OpenReadOnly(path);
        var found = selection.FindReadable(call, path, out var code).Where(static of => of.Letters.Count > 0).ToList();
        foreach (var (handler, letters) in found)
        {
            if (found.Count > 1 && !call.IsJson)
            {
                // Those of a bridge, and those without room for their properties, do not name it themselves.
                call.WriteLine(call.Palette.Paint($"{TerminalText.Escape(handler)}:", Ink.Heading));
            }

            using var dead = MessageQueue.OpenReadOnly(PathOf(path, handler));
            var chosen = letters.Select(static letter => letter.Position).ToHashSet();

            // A bridge keeps the messages of the queue as bytes.
            using var output = new RecordOutput(call, new SchemaVersions(dead.Schemas.Count > 0 ? dead : queue), showProperties: true, handler: handler);
            using var walk = new QueueWalk(dead, QueueStart.Earliest, dead.PublishedPosition, call);
            while (walk.TryNext(out var delivery))
            {
                if (chosen.Contains(delivery.Position))
                {
                    output.Write(delivery);
                }
            }

            var shown = output.End();
            code = shown > code ? shown : code;
        }

        return code;
    }

    private static ExitCode Remove(Call call, DeadLetterSelection selection, bool isConfirmed, bool publishes)
    {
        var path = selection.QueuePath(call);
        List<(string Handler, IReadOnlyList<DeadLetter> Letters)> found = [.. selection.Find(call, path).Where(static found => found.Letters.Count > 0)];
        if (found.Count == 0)
        {
            throw new ToolException("No dead letter matches.", ExitCode.Negative);
        }

        selection.RequireOneOfEachPosition(call, found);
        var text = $"{Quantity.Count(found.Sum(static found => found.Letters.Count), "dead letter")} of {string.Join(", ", found.Select(static found => $"'{found.Handler}'"))}";
        Confirmation.Require(call, isConfirmed, publishes ? $"Publish {text} in '{path}' again?" : $"Drop {text} of '{path}' for good?");
        foreach (var (handler, letters) in found)
        {
            Remove(call, path, handler, letters, publishes);
        }

        return ExitCode.Fine;
    }

    private static void Remove(Call call, string path, string handler, IReadOnlyList<DeadLetter> letters, bool publishes)
    {
        // A dead letter that came since the question is left alone.
        var chosen = letters.Select(static letter => letter.Position).ToHashSet();
        var room = new FullQueueWait(call);
        var (removed, isBegun) = (0, false);
        using var dead = DeadLetterQueue.Open(path, handler);
        int count;
        try
        {
            count = dead.Remove(IsChosen, publishes, room.Pause, call.Token);
        }
        catch when (removed > 0)
        {
            call.Remark($"{handler}: {Quantity.Count(removed, "message")} {VerbOf(publishes)}. The others are left.");
            throw;
        }

        Report(call, handler, count, publishes);

        bool IsChosen(long position)
        {
            // The dead letter before it is removed, and there was room for it.
            room.End();
            removed += isBegun ? 1 : 0;
            isBegun = false;
            call.Token.ThrowIfCancellationRequested();
            isBegun = chosen.Contains(position);
            return isBegun;
        }
    }

    private static void Report(Call call, string handler, int count, bool publishes)
    {
        if (call.IsJson)
        {
            call.Json.Write((handler, count, publishes), static (json, removal) =>
            {
                json.WriteStartObject();
                json.WriteString("name"u8, removal.handler);
                json.WriteNumber(removal.publishes ? "requeued"u8 : "dropped"u8, removal.count);
                json.WriteEndObject();
            });
        }
        else
        {
            call.WriteLine(TerminalText.Escape($"{handler}: {Quantity.Count(count, "message")} {VerbOf(publishes)}."));
        }
    }

    private static string VerbOf(bool publishes) => publishes ? "requeued" : "dropped";

    private static string PathOf(string queue, string handler)
    {
        using var letters = DeadLetterQueue.Open(queue, handler);
        return letters.Path;
    }
}
