using System.CommandLine;
using BufferedMessages.Queues;

namespace BufferedMessages.Tool;

/// <summary>Publishes the messages of an export file.</summary>
internal static class ImportCommand
{
    public static Command Create()
    {
        var file = new Argument<string>("FILE") { Description = "The file, as `export` made it. JSON cannot be imported: it does not have the bytes of the messages." };
        var queue = TargetResolver.QueueArgument();
        var create = new Option<bool>("--create") { Description = "Create the queue, like the exported one, if it does not exist." };
        var from = Positions.Option("--from", "Begin at this position of the exported queue.");
        var to = Positions.Option("--to", "End before this position of the exported queue.");
        var command = new ToolCommand(
            "import",
            "Publish the messages of an export file, with their properties, after those of the queue. Each message is verified by its schema.",
            "import orders.bmx /var/lib/shop/orders",
            "import orders.bmx ./copy --create") { file, queue, create, from, to };
        command.Run(call => Import(call, call.Value(file), call.Value(queue), call.Value(create), call.Value(from) ?? 0, call.Value(to) ?? long.MaxValue));
        return command;
    }

    private static ExitCode Import(Call call, string file, string queue, bool isCreated, long from, long to)
    {
        using var reader = new ExportReader(file);
        var sum = new TransferSum();
        if (reader.Queue.Content is { } content)
        {
            using var progress = new ProgressLine(call, "imported", reader.Bytes);
            using var destination = Destination.Open(call, queue, isCreated, reader.Queue.Options, content);
            try
            {
                Publish(call, reader, destination, from, to, sum, progress);
                destination.AwaitDisk(call.Token);
            }
            catch
            {
                progress.Dispose();
                sum.WriteInterrupted(call, "imported");
                throw;
            }
        }
        else if (reader.MoveNext())
        {
            throw new ToolException($"'{file}' has messages, but does not say which content they have.", ExitCode.Negative);
        }
        else
        {
            // The exported queue never had a message. The destination must be there, or be made, as for one that had.
            Destination.OpenQueue(queue, isCreated, reader.Queue.Options).Dispose();
        }

        sum.Write(call, "imported");
        return ExitCode.Fine;
    }

    private static void Publish(Call call, ExportReader reader, Destination destination, long from, long to, TransferSum sum, ProgressLine progress)
    {
        while (reader.MoveNext())
        {
            call.Token.ThrowIfCancellationRequested();
            progress.Add(reader.Payload.Length);
            if (reader.Id.Position >= from && reader.Id.Position < to)
            {
                destination.Publish(reader.Payload, reader.Entries, default(CopyStamps));
                sum.Add(reader.Id.Position + 1, reader.Payload.Length);
            }
        }
    }
}
