using System.CommandLine;

namespace BufferedMessages.Tool;

/// <summary>Describes a queue, a cache or a message file.</summary>
internal static class InfoCommand
{
    public static Command Create()
    {
        var target = new Argument<string>("TARGET") { Description = $"A queue, a cache or a message file: {TargetResolver.Help}." };
        var command = new ToolCommand("info", "Describe a queue: its options, positions, schema, producers and consumer names. Or a cache, or a message file.", "info /var/lib/shop/orders", "info ticks --json") { target };
        command.Run(call => Describe(call, call.Value(target)));
        return command;
    }

    private static ExitCode Describe(Call call, string given)
    {
        var target = TargetResolver.Find(given, TargetKind.Queue, TargetKind.Cache, TargetKind.Message);
        switch (target.Kind)
        {
            case TargetKind.Queue:
                using (var queue = MessageQueue.OpenReadOnly(target.Path))
                {
                    var facts = QueueFacts.Of(queue);
                    if (call.IsJson)
                    {
                        call.Json.Write(facts, static (json, facts) => QueueFactsJson.Write(json, facts));
                    }
                    else
                    {
                        new QueueFactsText(call).Write(facts);
                    }
                }

                return ExitCode.Fine;
            case TargetKind.Cache:
                return CacheReport.Write(call, target);
            default:
                return MessageFile.Describe(call, target);
        }
    }
}
