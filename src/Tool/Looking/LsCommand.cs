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
        var (count, code) = (0, ExitCode.Fine);
        foreach (var target in Find(folder, isRecursive, call.Token))
        {
            if (TargetSummary.Of(target) is not { } entry)
            {
                continue;
            }

            count++;
            code = entry.Code > code ? entry.Code : code;
            if (call.IsJson)
            {
                call.Json.Write(entry, static (json, entry) => Write(json, entry));
            }
            else
            {
                table.Add(target.Word, entry.Bytes is { } bytes ? Quantity.Of(bytes) : "", new Cell(entry.Details, entry.Code == ExitCode.Fine ? Ink.Plain : Ink.Bad), target.Path);
            }
        }

        table.Write(call.Out, call.Palette);
        if (count == 0 && !call.IsJson)
        {
            call.Remark(folder is null ? $"No queue was found in shared memory ({TargetListing.SharedFolder})." : $"No queue, cache or message file was found in '{folder}'.");
        }

        return code;
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
        if (entry.Code != ExitCode.Fine)
        {
            json.WriteBoolean(entry.Code == ExitCode.Negative ? "damaged"u8 : "unreadable"u8, value: true);
        }

        json.WriteEndObject();
    }
}
