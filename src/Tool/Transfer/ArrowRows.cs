using System.Buffers.Binary;
using Apache.Arrow;
using Apache.Arrow.Ipc;
using BufferedMessages.Wire;

namespace BufferedMessages.Tool;

/// <summary>The writer of an Arrow file with a row for each message: its position, epoch and time, and the scalar members of its root. Serves one thread at a time.</summary>
internal sealed class ArrowRows : SchemaVisitor, IDisposable
{
    private const int BatchRows = 65_536;
    private const int BatchTextBytes = 64 * 1024 * 1024;

    private readonly MessageSchema? _schema;
    private readonly ArrowColumn _position = ArrowColumns.OfInteger("@position");
    private readonly ArrowColumn _epoch = ArrowColumns.OfInteger("@epoch");
    private readonly ArrowColumn _time = ArrowColumns.OfMoment("@time");
    private readonly ArrowColumn? _payload;
    private readonly Dictionary<string, ArrowColumn> _members = new(StringComparer.Ordinal);
    private readonly List<ArrowColumn> _all;
    private readonly Schema _columns;
    private readonly ArrowFileWriter _writer;
    private ArrowColumn? _current;
    private int _depth;

    /// <param name="file">The receiver.</param>
    /// <param name="schema">The newest schema of the messages; null if they are bytes.</param>
    /// <exception cref="ToolException">The root is a union.</exception>
    public ArrowRows(Stream file, MessageSchema? schema)
    {
        _schema = schema;
        _payload = schema is null ? ArrowColumns.OfBytes("payload") : null;
        LeftOut = schema is null ? [] : AddMembers(schema.Document);
        _all = [_position, _epoch, _time, .. _members.Values, .. _payload is null ? (ReadOnlySpan<ArrowColumn>)[] : [_payload]];
        _columns = new Schema(_all.Select(static column => column.Field), metadata: []);
        _writer = new ArrowFileWriter(file, _columns, leaveOpen: true);
    }

    /// <summary>Gets the members that have no column.</summary>
    public IReadOnlyList<string> LeftOut { get; }

    /// <summary>Gets the number of messages that break a rule of the schema. Their members are null.</summary>
    public long Malformed { get; private set; }

    /// <summary>Adds a message.</summary>
    public void Add(in Delivery<RawMessage> delivery)
    {
        SetInteger(_position, delivery.Position);
        SetInteger(_epoch, delivery.Id.Epoch);
        if (delivery.Properties.Time is { } time)
        {
            SetInteger(_time, time.UtcTicks);
        }

        _payload?.Set(delivery.Message.Bytes);
        if (_schema is not null && !TryWalk(delivery.Message.Bytes, _schema))
        {
            Malformed++;
            foreach (var column in _members.Values)
            {
                column.Forget();
            }
        }

        var textBytes = 0;
        foreach (var column in _all)
        {
            column.Append();
            textBytes += column.TextBytes;
        }

        if (_position.Count >= BatchRows || textBytes >= BatchTextBytes)
        {
            WriteBatch();
        }
    }

    /// <summary>Writes the rest, and the end of the file.</summary>
    public void End()
    {
        // The first batch would begin the file, and there may be none.
        _writer.WriteStart();
        WriteBatch();
        _writer.WriteEnd();
    }

    public override void BeginMessage() => _depth++;

    public override void EndMessage() => _depth--;

    public override void BeginMember(string name)
    {
        if (_depth == 1)
        {
            _current = _members.GetValueOrDefault(name);
        }
    }

    public override void Value(SchemaValue kind, int position, ReadOnlySpan<byte> bytes) => Set(bytes);

    public override void Text(int position, ReadOnlySpan<byte> utf8) => Set(utf8);

    public override void Binary(int position, ReadOnlySpan<byte> bytes) => Set(bytes);

    public void Dispose() => _writer.Dispose();

    private static void SetInteger(ArrowColumn column, long value)
    {
        Span<byte> bytes = stackalloc byte[sizeof(long)];
        BinaryPrimitives.WriteInt64LittleEndian(bytes, value);
        column.Set(bytes);
    }

    private List<string> AddMembers(SchemaDocument document)
    {
        if (document.Root is not SchemaMessage root)
        {
            throw new ToolException("The messages are a union, which has no members of its own. Export them with --json.");
        }

        var leftOut = new List<string>();
        foreach (var member in document.TypeOf(root).Members)
        {
            if (member.Name is { } name && ArrowColumns.Of(name, member.Kind) is { } column)
            {
                _members.Add(name, column);
            }
            else if (member.Name is not null)
            {
                leftOut.Add(member.Name);
            }
        }

        return leftOut;
    }

    private bool TryWalk(ReadOnlySpan<byte> message, MessageSchema schema)
    {
        _depth = 0;
        _current = null;
        try
        {
            MessageJson.WalkRoot(message, schema, this);
            return true;
        }
        catch (MalformedMessageException)
        {
            return false;
        }
    }

    private void Set(ReadOnlySpan<byte> bytes)
    {
        if (_depth == 1)
        {
            _current?.Set(bytes);
        }
    }

    private void WriteBatch()
    {
        if (_position.Count is > 0 and var rows)
        {
            using var batch = new RecordBatch(_columns, _all.Select(static column => column.Take()), rows);
            _writer.WriteRecordBatch(batch);
        }
    }
}
