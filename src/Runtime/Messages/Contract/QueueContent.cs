using System.Text;
using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>The content of a queue, as another queue can take it over.</summary>
/// <param name="Kind">Raw bytes, messages or values.</param>
/// <param name="Text">The stored text: the versions of the schema, or the fields of a value.</param>
/// <param name="Fingerprint">The fingerprint of the newest version.</param>
internal sealed record QueueContent(ContentKind Kind, string Text, ulong Fingerprint)
{
    /// <summary>The end of a version's text: it ends with a line feed, so another one makes an empty line.</summary>
    public const string VersionEnd = "\n\n";

    /// <summary>The content of each version, the oldest first; one for other content than messages.</summary>
    /// <exception cref="FormatException">The text is not a schema.</exception>
    public IReadOnlyList<RecordContent> Versions => Kind == ContentKind.Message
        ? [.. Text.Split(VersionEnd).Select(static version => RecordContent.Messages(MessageSchema.Parse(version.TrimEnd('\n') + '\n')))]
        : [new RecordContent(Kind, Text, Fingerprint, Schema: null)];

    /// <summary>Whether the fingerprint is that of the text: of a version of the schema, or of the fields of a value.</summary>
    /// <exception cref="FormatException">The text is not a schema.</exception>
    public bool HasItsFingerprint => Kind == ContentKind.Value
        ? XxHash64.Hash(Encoding.UTF8.GetBytes(Text)) == Fingerprint
        : Versions.Any(version => version.Fingerprint == Fingerprint);
}
