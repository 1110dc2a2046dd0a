using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text;
using BufferedMessages.Wire;

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
internal sealed class QueueContent
{
    // A text ends with a line feed, so another one makes an empty line.
    private const string VersionEnd = "\n\n";

    private readonly ContentKind _kind;
    private readonly string _text;
    private readonly ulong _fingerprint;
    private readonly MessageSchema? _schema;

    private QueueContent(ContentKind kind, string text, ulong fingerprint, MessageSchema? schema = null)
    {
        _kind = kind;
        _text = text;
        _fingerprint = fingerprint;
        _schema = schema;
    }

    private enum ContentKind : uint
    {
        Undecided,
        Raw,
        Message,
        Value,
    }

    /// <summary>Raw bytes, in any format of the user's.</summary>
    public static QueueContent Raw { get; } = new(ContentKind.Raw, "", 0);

    /// <summary>Messages of a schema.</summary>
    public static QueueContent Messages(MessageSchema schema) => new(ContentKind.Message, schema.Text, schema.Fingerprint, schema);

    /// <summary>Values of an unmanaged type, identified by its size and its fields; the type's own name does not matter.</summary>
    public static QueueContent Values<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.NonPublicFields)] T>()
        where T : unmanaged
    {
        var text = new StringBuilder($"value of {Unsafe.SizeOf<T>()} bytes\n");
        foreach (var field in typeof(T).GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic))
        {
            text.Append(field.FieldType.FullName).Append(' ').Append(field.Name).Append('\n');
        }

        return new QueueContent(ContentKind.Value, text.ToString(), XxHash64.Hash(Encoding.UTF8.GetBytes(text.ToString())));
    }

    /// <summary>Checks this content against the queue's, and stores it when the queue's is not decided. The caller is the registrar.</summary>
    /// <exception cref="SchemaMismatchException">The queue holds something else; nothing was changed.</exception>
    public unsafe void Settle(ControlFile control)
    {
        var header = control.Header;
        var kind = (ContentKind)header->ContentKind;
        if (kind == ContentKind.Undecided)
        {
            Store(control);
            return;
        }

        var text = Encoding.UTF8.GetString(control.SchemaText[..(int)header->SchemaTextBytes]);
        if (kind != _kind)
        {
            ThrowDifferent(control, Describe(_kind, _text), Describe(kind, text));
        }

        if (header->SchemaFingerprint == _fingerprint)
        {
            return;
        }

        if (_schema is null)
        {
            ThrowDifferent(control, _text, text);
        }

        // All are compared before anything is stored.
        var addsToEach = true;
        foreach (var version in text.Split(VersionEnd))
        {
            addsToEach &= _schema.RequireCompatibleOrMore(version);
        }

        if (addsToEach)
        {
            Append(control);
        }
    }

    private unsafe void Store(ControlFile control)
    {
        RequireRoom(control, 0);

        // The kind comes last, on the disk too: a process or a machine that dies before it leaves the queue undecided.
        var header = control.Header;
        header->SchemaTextBytes = (uint)Encoding.UTF8.GetBytes(_text, control.SchemaText);
        header->SchemaFingerprint = _fingerprint;
        if (control.Mode == QueueMode.Durable)
        {
            control.FlushToDisk();
        }

        Volatile.Write(ref header->ContentKind, (uint)_kind);
    }

    private unsafe void Append(ControlFile control)
    {
        var header = control.Header;
        var end = (int)header->SchemaTextBytes;
        RequireRoom(control, end + 1);
        control.SchemaText[end] = (byte)'\n';
        var bytes = Encoding.UTF8.GetBytes(_text, control.SchemaText[(end + 1)..]);

        // The length comes last: a process that dies before it has added nothing.
        Volatile.Write(ref header->SchemaTextBytes, (uint)(end + 1 + bytes));
        header->SchemaFingerprint = _fingerprint;
    }

    private void RequireRoom(ControlFile control, int usedBytes)
    {
        if (Encoding.UTF8.GetByteCount(_text) > ControlFile.MaxSchemaTextBytes - usedBytes)
        {
            throw new NotSupportedException(
                $"The schema text does not fit into the {ControlFile.MaxSchemaTextBytes} bytes that the queue in '{control.Directory}' keeps for all versions. " +
                "Split the message type into smaller ones, or use another queue.");
        }
    }

    private static string Describe(ContentKind kind, string text) => kind == ContentKind.Raw ? "raw bytes" : text.Split('\n')[0];

    [DoesNotReturn]
    private static void ThrowDifferent(ControlFile control, string wanted, string found) =>
        throw new SchemaMismatchException(
            $"The queue in '{control.Directory}' holds '{found.TrimEnd()}', this program uses '{wanted.TrimEnd()}'. Use another queue, or open this one as what it holds.",
            wanted,
            found);
}
