using System.CommandLine;
using System.Text.Json;
using BufferedMessages.Caching;

namespace BufferedMessages.Tool;

/// <summary>Looks into a cache.</summary>
internal static class CacheCommand
{
    public static Command Create()
    {
        var command = new Command("cache", "Look into a cache, by its files alone: a process that uses it does not notice.");
        command.Subcommands.Add(CreateInfo());
        command.Subcommands.Add(CreateLs());
        command.Subcommands.Add(CreateVerify());
        return command;
    }

    private static ToolCommand CreateInfo()
    {
        var folder = Folder();
        var command = new ToolCommand("info", "Describe a cache: entries, records, sizes, schemas.", "cache info /var/lib/shop/pages") { folder };
        command.Run(call => CacheReport.Write(call, TargetResolver.Find(call.Value(folder), TargetKind.Cache)));
        return command;
    }

    private static ToolCommand CreateLs()
    {
        var folder = Folder();
        var values = new Option<bool>("--values") { Description = "Write a line for each entry with its value: messages by their schema, the rest as base64." };
        var command = new ToolCommand("ls", "List the entries that are not expired.", "cache ls /var/lib/shop/pages", "cache ls /var/lib/shop/pages --values --json") { folder, values };
        command.Run(call =>
        {
            using var listing = CacheListing.Of(TargetResolver.Find(call.Value(folder), TargetKind.Cache).Path, call.Token);
            return List(call, listing, call.Value(values));
        });
        return command;
    }

    private static ToolCommand CreateVerify()
    {
        var folder = Folder();
        var command = new ToolCommand("verify", "Find the damage of a cache, as `verify` does: the checksum of every record is compared.", "cache verify /var/lib/shop/pages") { folder };
        command.Run(call => CacheCheck.Verify(call, DamagedTarget.Find(call.Value(folder), TargetKind.Cache).Path));
        return command;
    }

    private static Argument<string> Folder() => new("FOLDER") { Description = "The folder of the cache." };

    private static ExitCode List(Call call, CacheListing cache, bool hasValues)
    {
        var schemas = CacheSchemas.In(cache.Path);
        using var values = hasValues ? new CacheValues(cache, schemas, isReadable: !call.IsJson) : null;
        var table = new TextTable("KEY", "BYTES>", "EXPIRES", "VALUE");
        foreach (var entry in cache.Entries)
        {
            call.Token.ThrowIfCancellationRequested();
            var key = CacheKeyText.Of(cache.KeyKind, entry.Key);
            var schema = schemas.GetValueOrDefault(entry.Schema)?.Name;
            if (values?.TryRead(entry) == false)
            {
                // It was replaced since the segments were read.
                continue;
            }

            if (call.IsJson)
            {
                call.Json.Write(new EntryLine(key, entry, schema, values), static (json, line) => line.Write(json));
            }
            else if (values is not null)
            {
                call.WriteLine($"{call.Palette.Paint(TerminalText.Escape(key), Ink.Heading)}  {values.Line}");
            }
            else
            {
                table.Add(key, Quantity.Of(entry.ValueBytes), TimeOf(entry) ?? "never", schema ?? "bytes");
            }
        }

        table.Write(call.Out, call.Palette);
        return ExitCode.Fine;
    }

    private static string? TimeOf(FoundRecord entry) =>
        entry.ExpiresAt == 0 ? null : Quantity.Moment(DateTimeOffset.FromUnixTimeMilliseconds(entry.ExpiresAt));

    private readonly struct EntryLine(string key, FoundRecord entry, string? schema, CacheValues? values)
    {
        public void Write(Utf8JsonWriter json)
        {
            json.WriteStartObject();
            json.WriteString("key"u8, key);
            json.WriteNumber("bytes"u8, entry.ValueBytes);
            if (TimeOf(entry) is { } time)
            {
                json.WriteString("expires"u8, time);
            }

            if (schema is not null)
            {
                json.WriteString("schema"u8, schema);
            }

            values?.Write(json);
            json.WriteEndObject();
        }
    }
}
