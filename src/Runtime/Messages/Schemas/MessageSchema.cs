using System.ComponentModel;
using System.Text;
using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>
/// The layout of a message type on the wire: a canonical text, and its fingerprint. Containers such as queues store both and check them when a producer or a consumer
/// opens them. Messages can be verified, shown and explained by their schema alone, without their type. Instances are immutable and thread-safe.
/// </summary>
public sealed class MessageSchema
{
    // The type itself, its lines, and the types that they refer to. The text is composed of them, unless it was parsed.
    private readonly SchemaReference _type;
    private readonly string _lines;
    private readonly Func<MessageSchema[]> _references;

    // Made on first use. Two threads may make the same at once; either will do.
    private string? _text;
    private SchemaDocument? _document;
    private SchemaCheck? _check;
    private object? _fingerprint;

    /// <summary>Describes one message type. Used by generated code.</summary>
    /// <param name="name">The full name of the source type.</param>
    /// <param name="ownLines">One line per member in ordinal order, each ended by a line feed.</param>
    /// <param name="references">Gives the schemas of the message types its members use, in the order of first use.</param>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public MessageSchema(string name, string ownLines, Func<MessageSchema[]> references)
        : this(new SchemaMessage(name), ownLines, references)
    {
    }

    private MessageSchema(SchemaReference type, string ownLines, Func<MessageSchema[]> references)
    {
        _type = type;
        _lines = $"{type.Head}\n{ownLines}";
        _references = references;
    }

    /// <summary>Gets the full name of the source type.</summary>
    public string Name => _type.TypeName;

    /// <summary>
    /// Gets the canonical text: a line <c>message Name</c> or <c>union Name</c> per type that the root reaches, in the order of first use, each
    /// followed by a line <c>ordinal kind name</c> per member, or <c>number kind name</c> per case. Lines end with a line feed; lines that begin with # are notes.
    /// The grammar is in docs/format/schema.md.
    /// </summary>
    public string Text => _text ??= ComposeText();

    /// <summary>Gets the XXH64 of the UTF-8 bytes of <see cref="Text"/>, without the lines that begin with #.</summary>
    public ulong Fingerprint => (ulong)(_fingerprint ??= FingerprintOf(Text));

    /// <summary>The parsed text.</summary>
    internal SchemaDocument Document => _document ??= SchemaDocument.Parse(Text);

    /// <summary>Verifies messages of the schema.</summary>
    internal SchemaCheck Check => _check ??= new SchemaCheck(Document);

    /// <summary>Creates a schema from a stored text, for example that of a queue. Name, text and fingerprint are those of the schema that the text came from.</summary>
    /// <param name="text">The text, as in <see cref="Text"/>.</param>
    /// <exception cref="FormatException">The text is not a schema text, is one of a newer version, or holds several versions. The message names the line and the reason.</exception>
    public static MessageSchema Parse(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        var document = SchemaDocument.Parse(text);
        return new MessageSchema(document.Root, ownLines: "", static () => []) { _text = text, _document = document };
    }

    /// <summary>Describes one union. Used by generated code.</summary>
    /// <param name="name">The full name of the union.</param>
    /// <param name="ownLines">One line per case in the order of their numbers, each ended by a line feed.</param>
    /// <param name="references">Gives the schemas of the cases.</param>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public static MessageSchema OfUnion(string name, string ownLines, Func<MessageSchema[]> references) => new(new SchemaUnion(name), ownLines, references);

    /// <summary>
    /// Checks that each of the two schemas can read the messages of the other:
    /// every ordinal that both have is of the same kind, and every number of a case is of the same message. Names do not matter, and either
    /// may have more members and cases.
    /// </summary>
    /// <param name="other">The other schema.</param>
    /// <exception cref="SchemaMismatchException">A member differs; the message shows both lines.</exception>
    public void RequireCompatible(MessageSchema other)
    {
        ArgumentNullException.ThrowIfNull(other);
        RequireCompatibleOrMore(other.Text);
    }

    /// <inheritdoc cref="RequireCompatible"/>
    /// <param name="other">The text of the other schema, which may be of a newer version: only members and cases of both are compared.</param>
    /// <returns>Whether this schema has members or cases where the other has none.</returns>
    internal bool RequireCompatibleOrMore(string other) =>
        !string.Equals(Text, other, StringComparison.Ordinal) && SchemaComparison.RequireCompatible(Text, other);

    /// <summary>Calculates the fingerprint of a schema text.</summary>
    internal static ulong FingerprintOf(string text) => XxHash64.Hash(Encoding.UTF8.GetBytes(SchemaNotes.Remove(text)));

    /// <summary>Returns <see cref="Text"/>.</summary>
    public override string ToString() => Text;

    // A type is known by its name. Two assemblies may have the same type, such as one of a linked file: it is described once.
    private string ComposeText()
    {
        var text = new StringBuilder();
        var types = new List<MessageSchema> { this };
        var described = new Dictionary<SchemaReference, MessageSchema>();
        for (var i = 0; i < types.Count; i++)
        {
            if (described.TryAdd(types[i]._type, types[i]))
            {
                text.Append(types[i]._lines);
            }
            else
            {
                types[i].RequireSameLines(described[types[i]._type]);
            }

            foreach (var reference in types[i]._references())
            {
                if (!types.Contains(reference))
                {
                    types.Add(reference);
                }
            }
        }

        return text.ToString();
    }

    private void RequireSameLines(MessageSchema other)
    {
        if (!string.Equals(SchemaNotes.Remove(_lines), SchemaNotes.Remove(other._lines), StringComparison.Ordinal))
        {
            throw new NotSupportedException($"Two types in one message are called '{Name}', but their members differ. A schema identifies types by name, so rename one of them.");
        }
    }
}
