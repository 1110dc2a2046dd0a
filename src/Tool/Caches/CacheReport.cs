namespace BufferedMessages.Tool;

/// <summary>The description of a cache.</summary>
internal static class CacheReport
{
    /// <summary>Writes it.</summary>
    public static ExitCode Write(Call call, Target target)
    {
        var scan = CacheScan.Of(target.Path, call.Token);
        var disk = new DirectoryInfo(target.Path).EnumerateFiles().Sum(static file => file.Length);
        var schemas = CacheSchemas.In(target.Path);
        if (call.IsJson)
        {
            call.Json.Write((scan, disk, schemas), static (json, report) =>
            {
                json.WriteStartObject();
                json.WriteString("kind"u8, "cache"u8);
                json.WriteString("path"u8, report.scan.Cache.Path);
                json.WriteString("keys"u8, CacheKeyText.KindOf(report.scan.Cache.KeyKind));
                json.WriteNumber("entries"u8, report.scan.Entries.Count);
                json.WriteNumber("expired"u8, report.scan.Expired);
                json.WriteNumber("records"u8, report.scan.Records);
                json.WriteNumber("damaged"u8, report.scan.Damaged.Count);
                json.WriteNumber("recordBytes"u8, report.scan.Bytes);
                json.WriteNumber("diskBytes"u8, report.disk);
                json.WriteNumber("segmentBytes"u8, report.scan.Cache.SegmentBytes);
                json.WriteNumber("segments"u8, report.scan.Segments);
                json.WriteNumber("writerProcess"u8, report.scan.Cache.WriterProcess);
                json.WriteStartArray("schemas"u8);
                foreach (var schema in report.schemas.Values)
                {
                    json.WriteStringValue(schema.Name);
                }

                json.WriteEndArray();
                json.WriteEndObject();
            });
            return ExitCode.Fine;
        }

        call.WriteLine($"{call.Palette.Paint(TerminalText.Escape(target.Name), Ink.Heading)}   cache, keys {CacheKeyText.KindOf(scan.Cache.KeyKind)}, {Quantity.Count(scan.Segments, "segment")} of {Quantity.Bytes(scan.Cache.SegmentBytes)}");
        call.WriteLine($"  {"path",-10}  {TerminalText.Escape(target.Path)}");
        call.WriteLine($"  {"entries",-10}  {Quantity.Of(scan.Entries.Count)}, and {Quantity.Of(scan.Expired)} expired");
        call.WriteLine($"  {"records",-10}  {Quantity.Of(scan.Records)} of {Quantity.Bytes(scan.Bytes)}, {Quantity.Of(scan.Damaged.Count)} damaged; {Quantity.Bytes(disk)} on the disk");
        call.WriteLine($"  {"schemas",-10}  {(schemas.Count == 0 ? "none" : TerminalText.Escape(string.Join(", ", schemas.Values.Select(static schema => schema.Name))))}");
        call.WriteLine($"  {"writer",-10}  {(scan.Cache.WriterProcess == 0 ? "none" : $"pid {scan.Cache.WriterProcess}, or it died")}");
        return ExitCode.Fine;
    }
}
