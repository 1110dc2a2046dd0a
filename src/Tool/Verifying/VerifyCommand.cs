using System.CommandLine;
using System.Diagnostics;
using BufferedMessages.Queues;

namespace BufferedMessages.Tool;

/// <summary>Finds the damage of a queue, a cache or a message file.</summary>
internal static class VerifyCommand
{
    private const string Explanation = """
        Find damage in a queue, a cache or a message file. Changes nothing; the queue or the cache may be in use.

        Without options the control file, the headers of all records and the files of the folder are checked.
        Ends with 0 if it is sound, 1 if it is damaged, 2 if that cannot be determined.
        """;

    public static Command Create()
    {
        var path = new Argument<string>("TARGET") { Description = $"The queue, cache or message file: {TargetResolver.Help}." };
        var checksums = new Option<bool>("--checksums") { Description = "Of a queue: compare the checksums of all records and properties too. Those of a cache always are." };
        var messages = new Option<bool>("--messages") { Description = "Of a queue: verify each message by its schema, and each value by its size." };
        var all = new Option<bool>("--all") { Description = "The same as --checksums and --messages." };
        var schema = new Option<string?>("--schema") { Description = $"For a message file: its schema, from {SchemaSource.Help}.", HelpName = "SOURCE" };
        var command = new ToolCommand(
            "verify", Explanation, "verify /var/lib/shop/orders --all", "verify /var/lib/shop/pages", "verify order.bin --schema /var/lib/shop/orders") { path, checksums, messages, all, schema };
        command.Run(call => Verify(call, call.Value(path), new InspectionDepth(call.Value(checksums) || call.Value(all), call.Value(messages) || call.Value(all)), call.Value(schema)));
        return command;
    }

    private static ExitCode Verify(Call call, string given, InspectionDepth depth, string? schema)
    {
        if (schema is not null)
        {
            return MessageFileCheck.Verify(call, given, schema);
        }

        var target = DamagedTarget.Find(given, TargetKind.Queue, TargetKind.Cache, TargetKind.Message);
        return target.Kind switch
        {
            TargetKind.Queue => VerifyQueue(call, target.Path, depth),
            TargetKind.Cache => CacheCheck.Verify(call, target.Path),
            _ => throw new ToolException($"'{given}' begins as a message of {Recognition.FileAt(target.Path).Length} bytes. Only its schema can say whether the rest is sound: give --schema."),
        };
    }

    private static ExitCode VerifyQueue(Call call, string path, InspectionDepth depth)
    {
        var start = Stopwatch.GetTimestamp();
        using var progress = new ProgressLine(call, "verified", QueueInspection.MeasureLog(path));
        var report = QueueInspection.Run(path, depth, progress.Add, call.Token);
        progress.Dispose();
        return FindingOutput.Write(call, report, Stopwatch.GetElapsedTime(start));
    }
}
