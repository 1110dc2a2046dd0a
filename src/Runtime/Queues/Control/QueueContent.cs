using System.Diagnostics.CodeAnalysis;
using System.Text;

namespace BufferedMessages.Queues;

/// <summary>
/// What the records of a queue hold. The first producer, or the first typed or value consumer, decides it; the control file keeps it
/// with the schema, and everybody who opens the queue later is checked against it.
/// <code>
/// schema text   version 1 | empty line | version 2 | empty line | ...
/// </code>
/// A compatible schema that has members where the stored ones have none is stored behind them. So a third version is compared with every
/// member that anybody has written, not only with those of the first; one that adds nothing is not stored, as its members are.
/// </summary>
internal static class QueueContent
{
    // A text ends with a line feed, so another one makes an empty line.
    private const string VersionEnd = "\n\n";

    /// <summary>The schemas of a queue's messages, the oldest first; empty for a queue of other content, or of none yet.</summary>
    /// <exception cref="QueueCorruptedException">The stored text is damaged.</exception>
    public static unsafe IReadOnlyList<MessageSchema> SchemasOf(ControlFile control)
    {
        if ((ContentKind)Volatile.Read(ref control.Header->ContentKind) != ContentKind.Message)
        {
            return [];
        }

        try
        {
            return [.. TextOf(control).Split(VersionEnd).Select(static text => MessageSchema.Parse(text.TrimEnd('\n') + '\n'))];
        }
        catch (FormatException exception)
        {
            throw new QueueCorruptedException(control.Path, ControlFile.SchemaOffset, $"the stored schema is none: {exception.Message}");
        }
    }

    /// <summary>Checks a content against the queue's, and stores it when the queue's is not decided. The caller is the registrar.</summary>
    /// <exception cref="SchemaMismatchException">The queue holds something else; nothing was changed.</exception>
    public static void Settle(ControlFile control, RecordContent content)
    {
        switch (Compare(control, content))
        {
            case ContentMatch.Undecided:
                Store(control, content);
                break;
            case ContentMatch.HasMore:
                Append(control, content);
                break;
        }
    }

    /// <summary>Checks a content against the queue's; changes nothing.</summary>
    /// <exception cref="SchemaMismatchException">The queue holds something else.</exception>
    public static unsafe ContentMatch Compare(ControlFile control, RecordContent content)
    {
        var header = control.Header;
        var kind = (ContentKind)Volatile.Read(ref header->ContentKind);
        if (kind == ContentKind.Undecided)
        {
            return ContentMatch.Undecided;
        }

        var text = TextOf(control);
        if (kind != content.Kind)
        {
            ThrowDifferent(control, Describe(content.Kind, content.Text), Describe(kind, text));
        }

        if (header->SchemaFingerprint == content.Fingerprint)
        {
            return ContentMatch.Known;
        }

        if (content.Schema is null)
        {
            ThrowDifferent(control, content.Text, text);
        }

        // All are compared before anything is stored.
        var addsToEach = true;
        foreach (var version in text.Split(VersionEnd))
        {
            addsToEach &= content.Schema.RequireCompatibleOrMore(version);
        }

        return addsToEach ? ContentMatch.HasMore : ContentMatch.Known;
    }

    private static unsafe void Store(ControlFile control, RecordContent content)
    {
        RequireRoom(control, content, 0);

        // The kind comes last, on the disk too: a process or a machine that dies before it leaves the queue undecided.
        var header = control.Header;
        header->SchemaTextBytes = (uint)Encoding.UTF8.GetBytes(content.Text, control.SchemaText);
        header->SchemaFingerprint = content.Fingerprint;
        if (control.Mode == QueueMode.Durable)
        {
            control.FlushToDisk();
        }

        Volatile.Write(ref header->ContentKind, (uint)content.Kind);
    }

    private static unsafe void Append(ControlFile control, RecordContent content)
    {
        var header = control.Header;
        var end = (int)header->SchemaTextBytes;
        RequireRoom(control, content, end + 1);
        control.SchemaText[end] = (byte)'\n';
        var bytes = Encoding.UTF8.GetBytes(content.Text, control.SchemaText[(end + 1)..]);

        // The length comes last: a process that dies before it has added nothing.
        Volatile.Write(ref header->SchemaTextBytes, (uint)(end + 1 + bytes));
        header->SchemaFingerprint = content.Fingerprint;
    }

    private static void RequireRoom(ControlFile control, RecordContent content, int usedBytes)
    {
        if (Encoding.UTF8.GetByteCount(content.Text) > ControlFile.MaxSchemaTextBytes - usedBytes)
        {
            throw new NotSupportedException(
                $"The schema text does not fit into the {ControlFile.MaxSchemaTextBytes} bytes that the queue in '{control.Directory}' keeps for all versions. " +
                "Split the message type into smaller ones, or use another queue.");
        }
    }

    private static unsafe string TextOf(ControlFile control) => Encoding.UTF8.GetString(control.SchemaText[..(int)control.Header->SchemaTextBytes]);

    private static string Describe(ContentKind kind, string text) => kind == ContentKind.Raw ? "raw bytes" : text.Split('\n')[0];

    [DoesNotReturn]
    private static void ThrowDifferent(ControlFile control, string wanted, string found) =>
        throw new SchemaMismatchException(
            $"The queue in '{control.Directory}' holds '{found.TrimEnd()}', this program uses '{wanted.TrimEnd()}'. Use another queue, or open this one as what it holds.",
            wanted,
            found);
}

/// <summary>How what a program takes a queue's records for goes with what the queue holds.</summary>
internal enum ContentMatch
{
    /// <summary>Nothing is stored yet.</summary>
    Undecided,

    /// <summary>The queue knows each of its members.</summary>
    Known,

    /// <summary>It has members that no stored version has.</summary>
    HasMore,
}
