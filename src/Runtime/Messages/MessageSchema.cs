using System.Text;
using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>
/// What a message type looks like on the wire: a canonical text, and its fingerprint.
/// Containers such as queues store both and check them when a producer or a consumer opens them.
/// Instances are immutable and safe for all threads.
/// </summary>
public sealed class MessageSchema
{
    private const string MessageKeyword = "message ";
    private const string UnionKeyword = "union ";

    private readonly string _keyword;
    private readonly string _ownLines;
    private readonly Func<MessageSchema[]> _references;
    private readonly Lazy<string> _text;
    private readonly Lazy<ulong> _fingerprint;
    private readonly Lazy<SchemaDocument> _document;

    /// <summary>Describes one message type. For generated code.</summary>
    /// <param name="name">The full name of the source type.</param>
    /// <param name="ownLines">One line per member in ordinal order, each ended by a line feed.</param>
    /// <param name="references">Gives the schemas of the message types its members use, in the order of first use.</param>
    public MessageSchema(string name, string ownLines, Func<MessageSchema[]> references)
        : this(MessageKeyword, name, ownLines, references)
    {
    }

    private MessageSchema(string keyword, string name, string ownLines, Func<MessageSchema[]> references)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        ArgumentNullException.ThrowIfNull(ownLines);
        ArgumentNullException.ThrowIfNull(references);
        Name = name;
        _keyword = keyword;
        _ownLines = ownLines;
        _references = references;
        _text = new Lazy<string>(ComposeText);
        _document = new Lazy<SchemaDocument>(() => SchemaDocument.Parse(Text));
        _fingerprint = new Lazy<ulong>(() => XxHash64.Hash(Encoding.UTF8.GetBytes(Text)));
    }

    /// <summary>The full name of the source type.</summary>
    public string Name { get; }

    /// <summary>
    /// The canonical text: a line <c>message Name</c> or <c>union Name</c> per type that the root reaches, in the order of first use, each
    /// followed by a line <c>ordinal kind name</c> per member, or <c>number kind name</c> per case. Lines end with a line feed. docs/wire-format.md has the grammar.
    /// </summary>
    public string Text => _text.Value;

    /// <summary>XXH64 of the UTF-8 bytes of <see cref="Text"/>.</summary>
    public ulong Fingerprint => _fingerprint.Value;

    /// <summary>The text, read.</summary>
    internal SchemaDocument Document => _document.Value;

    /// <summary>Makes the schema of a text.</summary>
    public static MessageSchema Parse(string text)
    {
        SchemaDocument.Parse(text);
        var first = text.IndexOf('\n');
        var name = text[..first];
        var space = name.IndexOf(' ');
        return new MessageSchema(name[..(space + 1)], name[(space + 1)..], text[(first + 1)..], static () => []);
    }

    /// <summary>Describes one union. For generated code.</summary>
    /// <param name="name">The full name of the union.</param>
    /// <param name="ownLines">One line per case in the order of their numbers, each ended by a line feed.</param>
    /// <param name="references">Gives the schemas of the cases.</param>
    public static MessageSchema OfUnion(string name, string ownLines, Func<MessageSchema[]> references) => new(UnionKeyword, name, ownLines, references);

    /// <summary>
    /// Checks that messages written with another schema can be read with this one, and the reverse:
    /// every ordinal that both have is of the same kind, and every number of a case is of the same message. Names do not matter, and either
    /// may have more members and cases.
    /// </summary>
    /// <param name="other">The other schema's text.</param>
    /// <exception cref="SchemaMismatchException">A member differs; the message shows both lines.</exception>
    public void RequireCompatible(string other)
    {
        ArgumentNullException.ThrowIfNull(other);
        RequireCompatibleOrMore(other);
    }

    /// <inheritdoc cref="RequireCompatible"/>
    /// <returns>Whether this schema has members or cases where the other has none.</returns>
    internal bool RequireCompatibleOrMore(string other) =>
        !string.Equals(Text, other, StringComparison.Ordinal) && SchemaComparison.RequireCompatible(Text, other);

    /// <summary>Gives <see cref="Text"/>.</summary>
    public override string ToString() => Text;

    private string ComposeText()
    {
        var text = new StringBuilder();
        var types = new List<MessageSchema> { this };
        for (var i = 0; i < types.Count; i++)
        {
            text.Append(types[i]._keyword).Append(types[i].Name).Append('\n').Append(types[i]._ownLines);
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
}
