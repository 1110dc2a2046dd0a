using System.CommandLine;

namespace BufferedMessages.Tool;

/// <summary>Finds messages by a condition on their members.</summary>
internal static class GrepCommand
{
    private const string Explanation = """
        Show the messages that satisfy a condition on their members.

        Lines[].Article == "Lamp" and Id > 5     a line of the order is of this article
        Note == null or not (Note contains "x")  texts are in quotes; contains looks into a text
        Prices["north"] >= 10, Lines[0].Quantity the value of a key, the first element
        Lines                                    the member is there, and not empty

        With [] the comparison holds if one of the elements satisfies it. Numbers compare as numbers, texts by their characters.
        """;

    public static Command Create()
    {
        var queue = TargetResolver.QueueArgument();
        var condition = new Argument<string?>("EXPR") { Description = "The condition; may be left out with -i.", Arity = ArgumentArity.ZeroOrOne };
        var pattern = new Option<string?>("-i", "--regex") { Description = "A regular expression that is matched against the message as JSON; case is ignored.", HelpName = "REGEX" };
        var count = new Option<bool>("--count") { Description = "Write only how many messages match." };
        var first = new Option<bool>("--first") { Description = "Stop after the first match." };
        var follow = new Option<bool>("-f", "--follow") { Description = "Wait for more messages, until Ctrl-C." };
        var from = StartArgument.Option("--from", "Where to begin; by default at the earliest message");
        var form = new RecordOptions();
        var command = new ToolCommand(
            "grep",
            Explanation,
            "grep /var/lib/shop/orders 'Lines[].Article == \"Lamp\" and Id > 5'",
            "grep /var/lib/shop/orders -i 'rush|express' --count",
            "grep /var/lib/shop/orders 'Id == 42' --first --explain") { queue, condition, pattern, count, first, follow, from };
        form.AddTo(command);
        command.Run(call => Find(call, call.Value(queue), call.Value(condition), call.Value(pattern), call.Value(count), call.Value(first), call.Value(follow), call.Value(from), form));
        return command;
    }

    private static ExitCode Find(
        Call call, string path, string? condition, string? pattern, bool isCounted, bool isFirst, bool isFollowed, StartArgument? from, RecordOptions form)
    {
        using var queue = TargetResolver.OpenQueue(path);
        var schemas = new SchemaVersions(queue);
        using var filter = RecordFilter.Create(schemas, condition, pattern);
        using var output = form.CreateOutput(call, schemas);
        var found = 0L;
        try
        {
            using var walk = Places.Walk(queue, from?.Start ?? QueueStart.Earliest, isFollowed ? null : queue.PublishedPosition, call);
            while (!(isFirst && found > 0) && walk.TryNext(out var delivery))
            {
                if (filter.Matches(delivery.Message.Bytes))
                {
                    found++;
                    if (!isCounted)
                    {
                        output.Write(delivery);
                    }
                }
            }
        }
        catch (OperationCanceledException) when (isFollowed)
        {
            // Ctrl-C is how a person ends it.
        }

        if (isCounted)
        {
            WriteCount(call, found);
        }

        filter.Report(call);
        var code = output.End();
        return found == 0 || filter.Malformed > 0 ? ExitCode.Negative : code;
    }

    private static void WriteCount(Call call, long found)
    {
        if (call.IsJson)
        {
            call.Json.Write(found, static (json, found) =>
            {
                json.WriteStartObject();
                json.WriteNumber("count"u8, found);
                json.WriteEndObject();
            });
        }
        else
        {
            call.WriteLine(found.ToString(System.Globalization.CultureInfo.InvariantCulture));
        }
    }
}
