using System.CommandLine;
using System.Globalization;
using System.Text.Json;

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
        var values = new Option<bool>("--values") { Description = "Write the values too: messages by their schema, the rest as base64." };
        var command = new ToolCommand("ls", "List the entries that are not expired.", "cache ls /var/lib/shop/pages", "cache ls /var/lib/shop/pages --values --json") { folder, values };
        command.Run(call => List(call, CacheScan.Of(TargetResolver.Find(call.Value(folder), TargetKind.Cache).Path, call.Token), call.Value(values)));
        return command;
    }

    private static ToolCommand CreateVerify()
    {
        var folder = Folder();
        var command = new ToolCommand("verify", "Compare the checksum of every record. Ends with 1 if one is damaged.", "cache verify /var/lib/shop/pages") { folder };
        command.Run(call => Verify(call, CacheScan.Of(TargetResolver.Find(call.Value(folder), TargetKind.Cache).Path, call.Token)));
        return command;
    }

    private static Argument<string> Folder() => new("FOLDER") { Description = "The folder of the cache." };

    private static ExitCode List(Call call, CacheScan scan, bool hasValues)
    {
        var schemas = CacheSchemas.In(scan.Cache.Path);
        var table = new TextTable("KEY", "BYTES>", "EXPIRES", "VALUE");
        using var text = new MessageText(isReadable: !call.IsJson);
        foreach (var entry in scan.Entries)
        {
            var schema = schemas.GetValueOrDefault(entry.Fingerprint);
            var isMessage = hasValues && schema is not null && text.Write(entry.Value, schema) is null;
            var key = CacheKeyText.Of(scan.Cache.KeyKind, entry.Key);
            if (call.IsJson)
            {
                call.Json.Write(new EntryLine(key, entry, schema?.Name, hasValues, isMessage ? text.Json : default), static (json, line) => line.Write(json));
            }
            else
            {
                table.Add(key, Quantity.Of(entry.Value.Length), TimeOf(entry) ?? "never", isMessage ? text.Line : hasValues ? Convert.ToBase64String(entry.Value) : schema?.Name ?? "bytes");
            }
        }

        table.Write(call.Out, call.Palette);
        return ExitCode.Fine;
    }

    private static ExitCode Verify(Call call, CacheScan scan)
    {
        foreach (var record in scan.Damaged)
        {
            if (call.IsJson)
            {
                call.Json.Write(record, static (json, record) =>
                {
                    json.WriteStartObject();
                    json.WriteString("file"u8, record.File);
                    json.WriteNumber("offset"u8, record.Offset);
                    json.WriteString("rule"u8, record.Fault);
                    json.WriteEndObject();
                });
            }
            else
            {
                call.WriteLine(call.Palette.Paint(TerminalText.Escape($"{Path.GetFileName(record.File)} at {Quantity.Of(record.Offset)}: the record is damaged, {record.Fault}"), Ink.Bad));
            }
        }

        if (!call.IsJson)
        {
            call.WriteLine($"{Quantity.Count(scan.Segments, "segment")}, {Quantity.Count(scan.Records, "record")}, {Quantity.Bytes(scan.Bytes)}: {(scan.Damaged.Count == 0 ? "sound" : $"{scan.Damaged.Count} damaged")}");
        }

        return scan.Damaged.Count == 0 ? ExitCode.Fine : ExitCode.Negative;
    }

    private static string? TimeOf(CacheRecordFound entry) =>
        entry.ExpiresAt == 0 ? null : DateTimeOffset.FromUnixTimeMilliseconds(entry.ExpiresAt).UtcDateTime.ToString("yyyy-MM-dd'T'HH:mm:ss'Z'", CultureInfo.InvariantCulture);

    private readonly ref struct EntryLine(string key, CacheRecordFound entry, string? schema, bool hasValue, ReadOnlySpan<byte> message)
    {
        private readonly ReadOnlySpan<byte> _message = message;

        public void Write(Utf8JsonWriter json)
        {
            json.WriteStartObject();
            json.WriteString("key"u8, key);
            json.WriteNumber("bytes"u8, entry.Value.Length);
            if (TimeOf(entry) is { } time)
            {
                json.WriteString("expires"u8, time);
            }

            if (schema is not null)
            {
                json.WriteString("schema"u8, schema);
            }

            if (!_message.IsEmpty)
            {
                json.WritePropertyName("message"u8);
                json.WriteRawValue(_message, skipInputValidation: true);
            }
            else if (hasValue)
            {
                json.WriteBase64String("value"u8, entry.Value);
            }

            json.WriteEndObject();
        }
    }
}
