using BufferedMessages.Caching;

namespace BufferedMessages.Tool;

/// <summary>The description of a cache.</summary>
internal static class CacheReport
{
    /// <summary>Writes it.</summary>
    public static ExitCode Write(Call call, Target target)
    {
        using var cache = CacheListing.Of(target.Path, call.Token);
        var damaged = cache.Report.Findings.Count(static finding => finding.Kind == CacheFindingKind.Damage);
        var disk = TargetSummary.DiskBytesOf(target.Path);
        var schemas = CacheSchemas.In(target.Path);
        if (call.IsJson)
        {
            call.Json.Write((cache, damaged, disk, schemas), static (json, report) =>
            {
                json.WriteStartObject();
                json.WriteString("kind"u8, "cache"u8);
                json.WriteString("path"u8, report.cache.Path);
                json.WriteString("keys"u8, CacheKeyText.KindOf(report.cache.KeyKind));
                json.WriteNumber("entries"u8, report.cache.Entries.Count);
                json.WriteNumber("expired"u8, report.cache.Expired);
                json.WriteNumber("records"u8, report.cache.Report.Records);
                json.WriteNumber("damaged"u8, report.damaged);
                json.WriteNumber("valueBytes"u8, report.cache.Report.ValueBytes);
                json.WriteNumber("diskBytes"u8, report.disk);
                json.WriteNumber("segmentBytes"u8, report.cache.SegmentBytes);
                json.WriteNumber("segments"u8, report.cache.Report.Segments);
                json.WriteNumber("writerProcess"u8, report.cache.WriterProcess);
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

        call.WriteLine($"{call.Palette.Paint(TerminalText.Escape(target.Name), Ink.Heading)}   cache, keys {CacheKeyText.KindOf(cache.KeyKind)}, {Quantity.Count(cache.Report.Segments, "segment")} of {Quantity.Bytes(cache.SegmentBytes)}");
        call.WriteLine($"  {"path",-10}  {TerminalText.Escape(target.Path)}");
        call.WriteLine($"  {"entries",-10}  {Quantity.Of(cache.Entries.Count)}, and {Quantity.Of(cache.Expired)} expired");
        call.WriteLine($"  {"records",-10}  {Quantity.Of(cache.Report.Records)} with {Quantity.Bytes(cache.Report.ValueBytes)} of values, {Quantity.Of(damaged)} damaged; {Quantity.Bytes(disk)} on the disk");
        call.WriteLine($"  {"schemas",-10}  {(schemas.Count == 0 ? "none" : TerminalText.Escape(string.Join(", ", schemas.Values.Select(static schema => schema.Name))))}");
        call.WriteLine($"  {"writer",-10}  {(cache.WriterProcess == 0 ? "none" : $"pid {cache.WriterProcess}, or it died")}");
        return ExitCode.Fine;
    }
}
