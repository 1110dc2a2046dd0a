using System.Diagnostics.CodeAnalysis;
using System.Text;

namespace BufferedMessages.Queues;

/// <summary>
/// The content of a queue's records. The first producer, or the first typed or value consumer, decides it; the control file keeps it
/// with the schema, and every later participant is checked against it.
/// <code>
/// schema text   version 1 | empty line | version 2 | empty line | ...
/// </code>
/// A compatible schema that has members or cases where the stored ones have none is stored after them. A third version is therefore compared with every
/// member that was ever written, not only with those of the first version. A schema that adds neither is not stored.
/// </summary>
internal static class StoredContent
{
    /// <summary>The schemas of a queue's messages, the oldest first; empty for a queue of other or undecided content.</summary>
    /// <exception cref="QueueCorruptedException">The stored text is damaged.</exception>
    public static IReadOnlyList<MessageSchema> SchemasOf(ControlMap control)
    {
        if (ContentOf(control) is not { Kind: ContentKind.Message } content)
        {
            return [];
        }

        try
        {
            return [.. content.Versions.Select(static version => version.Schema!)];
        }
        catch (FormatException exception)
        {
            throw new QueueCorruptedException(control.Path, ControlMap.SchemaOffset, $"the stored text is not a schema: {exception.Message}");
        }
    }

    /// <summary>The content of a queue; null while it is undecided.</summary>
    public static QueueContent? ContentOf(ControlMap control)
    {
        var kind = (ContentKind)Volatile.Read(ref control.Header.ContentKind);

        // The fingerprint is stored after its text: a text that is read before it may lack the version that it names.
        var fingerprint = Volatile.Read(ref control.Header.SchemaFingerprint);
        return kind == ContentKind.Undecided ? null : new QueueContent(kind, TextOf(control), fingerprint);
    }

    /// <summary>Requires a content to be the queue's, or one that the queue can store. Changes nothing.</summary>
    /// <exception cref="SchemaMismatchException">The queue holds other content.</exception>
    /// <exception cref="NotSupportedException">The queue has no room for the schema text.</exception>
    public static ContentMatch Require(ControlMap control, RecordContent content)
    {
        var match = Compare(control, content);
        if (match != ContentMatch.Known)
        {
            RequireRoom(control, content, match == ContentMatch.HasMore ? (int)control.Header.SchemaTextBytes + 1 : 0);
        }

        return match;
    }

    /// <summary>
    /// Stores the part of a content that the queue does not know, and opens a participant of that content. The caller has held the membership lock since <see cref="Require"/>.
    /// If a participant finds no room for the first segment, or the disk fails, the queue stays undecided. The header of that segment names the content, so it is stored before.
    /// </summary>
    public static TEngine OpenWith<TEngine>(SegmentStore segments, RecordContent? content, ContentMatch match, Func<TEngine> open)
    {
        try
        {
            if (content is not null)
            {
                Settle(segments.Control, content, match);
            }

            return open();
        }
        catch when (content is not null && match == ContentMatch.Undecided && segments.Count == 0)
        {
            Volatile.Write(ref segments.Control.Header.ContentKind, (uint)ContentKind.Undecided);
            throw;
        }
    }

    private static void Settle(ControlMap control, RecordContent content, ContentMatch match)
    {
        switch (match)
        {
            case ContentMatch.Undecided:
                Store(control, content);
                break;
            case ContentMatch.HasMore:
                Append(control, content);
                break;
            case ContentMatch.Known when content.Schema is not null && control.Header.SchemaFingerprint != content.Fingerprint:
                RestoreFingerprint(control, content);
                break;
        }
    }

    /// <summary>Checks a content against the queue's; changes nothing.</summary>
    /// <exception cref="SchemaMismatchException">The queue holds other content.</exception>
    public static ContentMatch Compare(ControlMap control, RecordContent content)
    {
        ref var header = ref control.Header;
        var kind = (ContentKind)Volatile.Read(ref header.ContentKind);
        if (kind == ContentKind.Undecided)
        {
            return ContentMatch.Undecided;
        }

        var text = TextOf(control);
        if (kind != content.Kind)
        {
            ThrowDifferent(control, Describe(content.Kind, content.Text), Describe(kind, text));
        }

        if (header.SchemaFingerprint == content.Fingerprint)
        {
            return ContentMatch.Known;
        }

        if (content.Schema is null)
        {
            ThrowDifferent(control, content.Text, text);
        }

        // All are compared before anything is stored.
        var addsToEach = true;
        foreach (var version in text.Split(QueueContent.VersionEnd))
        {
            addsToEach &= content.Schema.RequireCompatibleOrMore(version);
        }

        return addsToEach ? ContentMatch.HasMore : ContentMatch.Known;
    }

    private static void Store(ControlMap control, RecordContent content)
    {
        // The kind is stored last, on the disk too: if the process or the machine dies before that, the queue stays undecided. It is stored before the first message.
        ref var header = ref control.Header;
        header.SchemaTextBytes = (uint)Encoding.UTF8.GetBytes(content.Text, control.SchemaText);
        header.SchemaFingerprint = content.Fingerprint;
        Flush(control);
        Volatile.Write(ref header.ContentKind, (uint)content.Kind);
        Flush(control);
    }

    private static void Append(ControlMap control, RecordContent content)
    {
        ref var header = ref control.Header;
        var end = (int)header.SchemaTextBytes;
        control.SchemaText[end] = (byte)'\n';
        var bytes = Encoding.UTF8.GetBytes(content.Text, control.SchemaText[(end + 1)..]);

        // The length is stored last, on the disk too: if the process or the machine dies before that, nothing was added. It is stored before the first message of this version.
        Flush(control);
        Volatile.Write(ref header.SchemaTextBytes, (uint)(end + 1 + bytes));
        Volatile.Write(ref header.SchemaFingerprint, content.Fingerprint);
        Flush(control);
    }

    // A process that added this version may have died between storing its length and its fingerprint, by which others notice the newer version.
    private static void RestoreFingerprint(ControlMap control, RecordContent content)
    {
        if (TextOf(control).EndsWith(QueueContent.VersionEnd + content.Text, StringComparison.Ordinal))
        {
            control.Header.SchemaFingerprint = content.Fingerprint;
        }
    }

    private static void Flush(ControlMap control)
    {
        if (control.Mode == QueueMode.Durable)
        {
            control.FlushToDisk();
        }
    }

    private static void RequireRoom(ControlMap control, RecordContent content, int usedBytes)
    {
        if (Encoding.UTF8.GetByteCount(content.Text) > ControlMap.MaxSchemaTextBytes - usedBytes)
        {
            throw new NotSupportedException(
                $"The schema text does not fit into the {ControlMap.MaxSchemaTextBytes} bytes that the queue in '{control.Directory}' keeps for all versions. " +
                "Split the message type into smaller ones, or use another queue.");
        }
    }

    private static string TextOf(ControlMap control) => Encoding.UTF8.GetString(control.SchemaText[..(int)Volatile.Read(ref control.Header.SchemaTextBytes)]);

    private static string Describe(ContentKind kind, string text) => kind == ContentKind.Raw ? "raw bytes" : text.Split('\n')[0];

    [DoesNotReturn]
    private static void ThrowDifferent(ControlMap control, string wanted, string found) =>
        throw new SchemaMismatchException(
            $"The queue in '{control.Directory}' holds '{found.TrimEnd()}', this program uses '{wanted.TrimEnd()}'. Use another queue, or open this one with its own content.",
            wanted,
            found);
}

/// <summary>The result of comparing a program's content with the queue's.</summary>
internal enum ContentMatch
{
    /// <summary>Nothing is stored yet.</summary>
    Undecided,

    /// <summary>The queue knows each of its members.</summary>
    Known,

    /// <summary>It has members that no stored version has.</summary>
    HasMore,
}
