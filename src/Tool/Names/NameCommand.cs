using System.CommandLine;

namespace BufferedMessages.Tool;

/// <summary>Shows, moves and deletes consumer names.</summary>
internal static class NameCommand
{
    public static Command Create()
    {
        var command = new Command("name", "Show, move or delete the consumer names of a queue.");
        command.Subcommands.Add(CreateLs());
        command.Subcommands.Add(CreateSeek());
        command.Subcommands.Add(CreateRm());
        return command;
    }

    private static ToolCommand CreateLs()
    {
        var queue = TargetResolver.QueueArgument();
        var command = new ToolCommand("ls", "List the names with their positions, lag and members.", "name ls /var/lib/shop/orders") { queue };
        command.Run(call => List(call, call.Value(queue)));
        return command;
    }

    private static ToolCommand CreateSeek()
    {
        var queue = TargetResolver.QueueArgument();
        var name = Name();
        var to = StartArgument.Option("--to", "Where the name continues");
        to.Required = true;
        var command = new ToolCommand(
            "seek",
            "Move a name to another message. An exclusive name must not have a consumer now; a group goes on from there with all its members.",
            "name seek /var/lib/shop/orders billing --to 158203136",
            "name seek /var/lib/shop/orders billing --to -2h") { queue, name, to };
        command.Run(call => Seek(call, call.Value(queue), call.Value(name), call.Value(to)!));
        return command;
    }

    private static ToolCommand CreateRm()
    {
        var queue = TargetResolver.QueueArgument();
        var name = Name();
        var yes = Confirmation.Option();
        var command = new ToolCommand("rm", "Delete a name with its position. Producers of a bounded queue no longer wait for it.", "name rm /var/lib/shop/orders audit --yes") { queue, name, yes };
        command.Run(call => Delete(call, call.Value(queue), call.Value(name), call.Value(yes)));
        return command;
    }

    private static Argument<string> Name() => new("NAME") { Description = "The consumer name." };

    private static ExitCode List(Call call, string path)
    {
        using var queue = TargetResolver.OpenQueue(path);
        var table = new TextTable("NAME", "KIND", "POSITION>", "LAG>", "OLDEST UNREAD>", "ALIVE>", "DEAD>");
        foreach (var name in queue.GetStatistics().Consumers)
        {
            if (call.IsJson)
            {
                call.Json.Write(name, static (json, name) => ConsumerNameJson.Write(json, name));
                continue;
            }

            var dead = name.Members.Count(static member => !member.IsAlive);
            table.Add(
                name.Name, name.IsGroup ? "group" : "exclusive", Quantity.Of(name.Position), Quantity.Bytes(name.LagBytes), name.OldestUnreadAge is { } age ? Quantity.Time(age) : "",
                Quantity.Of(name.Members.Count - dead), dead == 0 ? "" : new Cell(Quantity.Of(dead), Ink.Bad));
        }

        table.Write(call.Out, call.Palette);
        return ExitCode.Fine;
    }

    private static ExitCode Seek(Call call, string path, string name, StartArgument to)
    {
        using var queue = TargetResolver.OpenQueueToChange(path);
        var isGroup = ConsumerNames.Find(queue, name).IsGroup;
        using var consumer = queue.OpenConsumer<RawMessage>(name, new ConsumerOptions { Shared = isGroup, MustExist = true });
        long before;
        try
        {
            before = consumer.Seek(to.Start);
        }
        catch (ArgumentOutOfRangeException exception)
        {
            throw Places.NoMessageAt(queue, exception);
        }

        Report(call, name, before, ConsumerNames.Find(queue, name).Position);
        return ExitCode.Fine;
    }

    private static void Report(Call call, string name, long before, long after)
    {
        if (call.IsJson)
        {
            call.Json.Write((name, before, after), static (json, move) =>
            {
                json.WriteStartObject();
                json.WriteString("name"u8, move.name);
                json.WriteNumber("from"u8, move.before);
                json.WriteNumber("to"u8, move.after);
                json.WriteEndObject();
            });
        }
        else
        {
            call.WriteLine($"{TerminalText.Escape(name)} moved from {Quantity.Of(before)} to {Quantity.Of(after)}.");
        }
    }

    private static ExitCode Delete(Call call, string path, string name, bool isConfirmed)
    {
        using var queue = TargetResolver.OpenQueueToChange(path);
        var found = ConsumerNames.Find(queue, name);
        Confirmation.Require(call, isConfirmed, $"Delete the {(found.IsGroup ? "group" : "name")} '{name}' of '{queue.Path}', which has {Quantity.Bytes(found.LagBytes)} to read?");
        var isDeleted = queue.DeleteConsumer(name);
        if (call.IsJson)
        {
            call.Json.Write((name, isDeleted), static (json, deletion) =>
            {
                json.WriteStartObject();
                json.WriteString("name"u8, deletion.name);
                json.WriteBoolean("deleted"u8, deletion.isDeleted);
                json.WriteEndObject();
            });
        }
        else
        {
            call.Remark(isDeleted ? $"{name} is deleted." : $"{name} was already deleted by another process.");
        }

        return ExitCode.Fine;
    }
}
