using System.CommandLine;

namespace BufferedMessages.Tool;

/// <summary>Writes the messages of a queue to one file.</summary>
internal static class ExportCommand
{
    private const string StandardOutput = "-";

    public static Command Create()
    {
        var queue = TargetResolver.QueueArgument();
        var file = new Argument<string>("FILE") { Description = "The file, which must not exist; - with --json is the standard output." };
        var arrow = new Option<bool>("--arrow") { Description = "Write an Arrow file: a row for each message, a column for each scalar member of its root." };
        var range = new RangeOptions();
        var command = new ToolCommand(
            "export",
            "Write the messages of a queue, with their properties and schemas, to one file. With --json it has a line for each message, which `import` does not read.",
            "export /var/lib/shop/orders orders.bmx",
            "export /var/lib/shop/orders - --json --from -1h",
            "export /var/lib/shop/orders orders.arrow --arrow") { queue, file, arrow, range.From, range.To };
        command.Run(call => Export(call, call.Value(queue), call.Value(file), call.Value(arrow), range));
        return command;
    }

    private static ExitCode Export(Call call, string path, string file, bool isArrow, RangeOptions range)
    {
        if (isArrow && call.IsJson)
        {
            throw new ToolException("Give --json or --arrow, not both.");
        }

        if (file == StandardOutput && !call.IsJson)
        {
            throw new ToolException("An export file cannot be written to the standard output. Give a file name, or --json.");
        }

        using var queue = TargetResolver.OpenQueue(path);
        using var walk = range.Walk(queue, call, out var end);
        var sum = new TransferSum();
        if (file == StandardOutput)
        {
            return WriteJson(call, call, queue, walk, sum);
        }

        using var created = new NewFile(file);
        var code = ExitCode.Fine;
        if (isArrow)
        {
            code = WriteArrow(call, created.UnfinishedPath, queue, walk, sum);
        }
        else if (call.IsJson)
        {
            using var writing = call.To(created.UnfinishedPath);
            code = WriteJson(call, writing, queue, walk, sum);
            writing.Out.Flush();
        }
        else
        {
            Write(call, created.UnfinishedPath, queue, walk, end, sum);
        }

        created.Complete();
        sum.Write(call, "exported");
        return code;
    }

    private static void Write(Call call, string path, MessageQueue queue, QueueWalk walk, long end, TransferSum sum)
    {
        using var progress = new ProgressLine(call, "exported", totalBytes: 0);
        using var file = new FileStream(path, FileMode.CreateNew, FileAccess.Write);
        var writer = new ExportWriter(file, ExportedQueue.Of(queue));
        while (walk.TryNext(out var delivery))
        {
            var payload = delivery.Message.Bytes;
            writer.Add(delivery.Id, payload, delivery.Properties.Entries);
            sum.Add(delivery.End, payload.Length);
            progress.Add(payload.Length);
        }

        writer.End(end);
    }

    private static ExitCode WriteArrow(Call call, string path, MessageQueue queue, QueueWalk walk, TransferSum sum)
    {
        using var progress = new ProgressLine(call, "exported", totalBytes: 0);
        using var file = new FileStream(path, FileMode.CreateNew, FileAccess.Write);
        using var rows = new ArrowRows(file, new SchemaVersions(queue).Newest);
        while (walk.TryNext(out var delivery))
        {
            rows.Add(delivery);
            sum.Add(delivery.End, delivery.Message.Bytes.Length);
            progress.Add(delivery.Message.Bytes.Length);
        }

        rows.End();
        progress.Dispose();
        if (rows.LeftOut.Count > 0)
        {
            call.Remark($"Left out, since they are not scalars: {string.Join(", ", rows.LeftOut)}.");
        }

        if (rows.Malformed > 0)
        {
            call.Remark($"{Quantity.Count(rows.Malformed, "message")} not as the schema says: the members in those rows are null.");
        }

        return rows.Malformed == 0 ? ExitCode.Fine : ExitCode.Negative;
    }

    private static ExitCode WriteJson(Call call, Call writing, MessageQueue queue, QueueWalk walk, TransferSum sum)
    {
        using var progress = new ProgressLine(call, "exported", totalBytes: 0);
        using var output = new RecordOutput(writing, new SchemaVersions(queue));
        while (walk.TryNext(out var delivery))
        {
            output.Write(delivery);
            sum.Add(delivery.End, delivery.Message.Bytes.Length);
            progress.Add(delivery.Message.Bytes.Length);
        }

        progress.Dispose();
        return output.End();
    }
}
