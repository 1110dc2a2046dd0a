using System.CommandLine;
using System.Text.Json;

namespace BufferedMessages.Tool;

/// <summary>Lists queues, caches and message files.</summary>
internal static class LsCommand
{
    public static Command Create()
    {
        var folder = new Argument<string?>("FOLDER") { Description = "The folder; by default the queues in shared memory are listed.", Arity = ArgumentArity.ZeroOrOne };
        var recursive = new Option<bool>("--recursive", "-r") { Description = "Search its subfolders too." };
        var command = new ToolCommand("ls", "List queues, caches and message files.", "ls", "ls /var/lib/shop --recursive") { folder, recursive };
        command.Run(call => List(call, call.Value(folder), call.Value(recursive)));
        return command;
    }

    private static ExitCode List(Call call, string? folder, bool isRecursive)
    {
        var table = new TextTable("KIND", "BYTES>", "DETAILS", "PATH");
        var count = 0;
        foreach (var target in Find(folder, isRecursive, call.Token))
        {
            count++;
            var entry = TargetSummary.Of(target);
            if (call.IsJson)
            {
                call.Json.Write(entry, static (json, entry) => Write(json, entry));
            }
            else
            {
                table.Add(target.Word, entry.Bytes is { } bytes ? Quantity.Of(bytes) : "", new Cell(entry.Details, entry.IsDamaged ? Ink.Bad : Ink.Plain), target.Path);
            }
        }

        table.Write(call.Out, call.Palette);
        if (count == 0 && !call.IsJson)
        {
            call.Remark(folder is null ? $"No queue was found in shared memory ({TargetListing.SharedFolder})." : $"No queue, cache or message file was found in '{folder}'.");
        }

        return ExitCode.Fine;
    }

    private static IEnumerable<Target> Find(string? folder, bool isRecursive, CancellationToken token)
    {
        if (folder is null)
        {
            return TargetListing.Shared();
        }

        return Directory.Exists(folder)
            ? TargetListing.In(Path.TrimEndingDirectorySeparator(Path.GetFullPath(folder)), isRecursive, token)
            : [TargetResolver.Find(folder, TargetKind.Queue, TargetKind.Cache, TargetKind.Message)];
    }

    private static void Write(Utf8JsonWriter json, TargetSummary entry)
    {
        json.WriteStartObject();
        json.WriteString("kind"u8, entry.Target.Word);
        json.WriteString("path"u8, entry.Target.Path);
        if (entry.Bytes is { } bytes)
        {
            json.WriteNumber("bytes"u8, bytes);
        }

        json.WriteString("details"u8, entry.Details);
        if (entry.IsDamaged)
        {
            json.WriteBoolean("damaged"u8, value: true);
        }

        json.WriteEndObject();
    }
}
