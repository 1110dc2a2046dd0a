using System.Buffers;
using System.Text.Json;

namespace BufferedMessages.Tool;

/// <summary>Objects for the page that no other command writes.</summary>
internal static class PageJson
{
    /// <summary>Gives a sentence that is shown instead of an answer.</summary>
    public static ReadOnlyMemory<byte> Sentence(string text) => Write(text, static (json, text) => json.WriteString("error"u8, text));

    /// <summary>Gives the folders, and whether the page may change anything.</summary>
    public static ReadOnlyMemory<byte> Start(ServedFolders folders, bool allowsChanges) => Write((folders, allowsChanges), static (json, start) =>
    {
        json.WriteStartArray("folders"u8);
        foreach (var root in start.folders.Roots)
        {
            json.WriteStringValue(root);
        }

        json.WriteEndArray();
        json.WriteBoolean("allowsChanges"u8, start.allowsChanges);
        json.WriteNumber("samples"u8, SampleHistory.Length);
    });

    /// <summary>Gives the caches.</summary>
    public static ReadOnlyMemory<byte> Caches(IEnumerable<ServedTarget> caches) => Write(caches, static (json, caches) =>
    {
        json.WriteStartArray("caches"u8);
        foreach (var cache in caches)
        {
            if (TargetSummary.Of(cache.Target) is not { } summary)
            {
                continue;
            }

            json.WriteStartObject();
            json.WriteString("path"u8, cache.Target.Path);
            json.WriteString("name"u8, cache.Name);
            if (summary.Bytes is { } bytes)
            {
                json.WriteNumber("diskBytes"u8, bytes);
            }

            json.WriteString("details"u8, summary.Details);
            json.WriteEndObject();
        }

        json.WriteEndArray();
    });

    /// <summary>Gives the lines of a command. Each is a text, because a script would round large numbers in it.</summary>
    public static ReadOnlyMemory<byte> Lines(CommandAnswer answer) => Write(answer, static (json, answer) =>
    {
        json.WriteStartArray("lines"u8);
        foreach (var line in answer.Lines)
        {
            json.WriteStringValue(line);
        }

        json.WriteEndArray();
        json.WriteBoolean("more"u8, answer.HasMore);
        json.WriteString("remarks"u8, answer.Remarks);
    });

    private static ReadOnlyMemory<byte> Write<TState>(TState state, Action<Utf8JsonWriter, TState> write)
    {
        var buffer = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(buffer))
        {
            json.WriteStartObject();
            write(json, state);
            json.WriteEndObject();
        }

        return buffer.WrittenMemory;
    }
}
