using System.Text.Json;
using BufferedMessages.Queues;

namespace BufferedMessages.Tool;

/// <summary>The output of the results of an inspection.</summary>
internal static class FindingOutput
{
    /// <summary>Writes all results, and then the sum.</summary>
    public static ExitCode Write(Call call, InspectionReport report, TimeSpan time)
    {
        foreach (var finding in report.Findings)
        {
            Write(call, finding);
        }

        var code = CodeOf(report.Findings);
        if (call.IsJson)
        {
            call.Json.Write((report, code), static (json, sum) =>
            {
                json.WriteStartObject();
                json.WriteString("result"u8, WordOf(sum.code));
                json.WriteNumber("segments"u8, sum.report.Segments);
                json.WriteNumber("messages"u8, sum.report.Messages);
                json.WriteNumber("payloadBytes"u8, sum.report.PayloadBytes);
                json.WriteNumber("unfinished"u8, sum.report.Unfinished);
                json.WriteNumber("end"u8, sum.report.End);
                json.WriteEndObject();
            });
        }
        else
        {
            var ink = code switch { ExitCode.Fine => Ink.Good, ExitCode.Negative => Ink.Bad, _ => Ink.Warning };
            call.WriteLine(
                $"{Quantity.Count(report.Segments, "segment")}, {Quantity.Count(report.Messages, "message")}, {Quantity.Bytes(report.PayloadBytes)}, {Quantity.Time(time)}: {call.Palette.Paint(WordOf(code), ink)}");
        }

        return code;
    }

    /// <summary>Gets the exit code for results.</summary>
    public static ExitCode CodeOf(IReadOnlyList<Finding> findings) =>
        findings.Any(static finding => finding.Kind is FindingKind.Damage or FindingKind.Torn) ? ExitCode.Negative
        : findings.Any(static finding => finding.Kind == FindingKind.Unknown) ? ExitCode.Unanswered
        : ExitCode.Fine;

    /// <summary>Writes a result.</summary>
    public static void Write(Call call, Finding finding)
    {
        if (call.IsJson)
        {
            call.Json.Write(finding, static (json, finding) => Write(json, finding));
            return;
        }

        var ink = finding.Kind is FindingKind.Damage or FindingKind.Torn ? Ink.Bad : finding.Kind == FindingKind.Unknown ? Ink.Warning : Ink.Faint;
        var place = finding.Position is { } position ? $" at {Quantity.Of(position)}" : "";
        var lost = finding.Bytes > 0 ? $"; {Quantity.Count(finding.Bytes, "byte")} cannot be read" : "";
        call.WriteLine($"{call.Palette.Paint(WordOf(finding.Kind), ink)}  {TerminalText.Escape(Path.GetFileName(finding.File))}{place}: {TerminalText.Escape(finding.Rule)}{lost}");
    }

    private static void Write(Utf8JsonWriter json, Finding finding)
    {
        json.WriteStartObject();
        json.WriteString("finding"u8, WordOf(finding.Kind));
        json.WriteString("file"u8, finding.File);
        if (finding.Position is { } position)
        {
            json.WriteNumber("position"u8, position);
        }

        json.WriteString("rule"u8, finding.Rule);
        if (finding.Bytes > 0)
        {
            json.WriteNumber("bytes"u8, finding.Bytes);
        }

        json.WriteEndObject();
    }

    private static string WordOf(FindingKind kind) => kind switch
    {
        FindingKind.Damage => "damaged",
        FindingKind.Torn => "torn",
        FindingKind.Unknown => "unknown",
        FindingKind.Orphan => "orphan",
        _ => "dead",
    };

    private static string WordOf(ExitCode code) => code switch { ExitCode.Fine => "sound", ExitCode.Negative => "damaged", _ => "unknown" };
}
