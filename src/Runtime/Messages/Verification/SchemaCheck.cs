using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>
/// The verification of messages by their schema alone, with the same result as the view of their type. It is made of a schema once; then it is immutable, safe for all
/// threads, and allocates nothing as long as messages are valid.
/// </summary>
internal sealed class SchemaCheck
{
    private readonly SchemaDocument _schema;
    private readonly Dictionary<string, BlockCheck> _types = new(StringComparer.Ordinal);
    private readonly Dictionary<string, UnionCheck> _unions = new(StringComparer.Ordinal);
    private readonly Queue<(SchemaType Type, BlockCheck Check)> _unfilled = new();

    // One of the two is the message itself.
    private readonly BlockCheck? _root;
    private readonly UnionCheck? _rootUnion;

    public SchemaCheck(SchemaDocument schema)
    {
        _schema = schema;
        if (schema.Root is SchemaMessage type)
        {
            _root = Of(type);
        }
        else
        {
            _rootUnion = Of((SchemaUnion)schema.Root);
        }

        // One after the other: a text may have a longer chain of types than the stack is deep.
        while (_unfilled.TryDequeue(out var next))
        {
            Fill(next.Type, next.Check);
        }
    }

    /// <inheritdoc cref="BufferedMessage.Verify(ReadOnlySpan{byte}, MessageSchema, out MessageError, bool)"/>
    public bool Verify(ReadOnlySpan<byte> message, out MessageError error, bool exact) =>
        MessageVerifier.TryBegin(message, exact, out var verifier, out var root, out error) && verifier.End(Verify(ref verifier, root), out error);

    // The root block of a union holds only its slot.
    private bool Verify(ref MessageVerifier verifier, BlockReader root) =>
        _root?.Verify(ref verifier, root)
        ?? (verifier.RootSlot(root) && _rootUnion!.Verify(ref verifier, root, offset: 0));

    // Known before it is filled, since types may refer to each other in circles.
    private BlockCheck Of(SchemaMessage message)
    {
        if (!_types.TryGetValue(message.TypeName, out var check))
        {
            var type = _schema.TypeOf(message);
            check = new BlockCheck(type.BlockBytes);
            _types.Add(message.TypeName, check);
            _unfilled.Enqueue((type, check));
        }

        return check;
    }

    private void Fill(SchemaType type, BlockCheck check)
    {
        var members = type.Members.Where(static member => member.Name is not null).ToList();
        check.Fill(
            members.Select(Of).OfType<MemberCheck>(),
            BlockRemains.Of(type.BlockBytes, members.Select(static member => (member.Offset, member.Size, member.PresenceBit))));
    }

    private UnionCheck Of(SchemaUnion union)
    {
        if (!_unions.TryGetValue(union.TypeName, out var check))
        {
            check = new UnionCheck();
            _unions.Add(union.TypeName, check);
            foreach (var (number, found) in _schema.CasesOf(union))
            {
                check.Add(number, Of(found.Message));
            }
        }

        return check;
    }

    // Null if no rule can be broken.
    private MemberCheck? Of(SchemaMember member) => member.Kind switch
    {
        SchemaValue value => Of(value) is { IsAnything: false } check ? new ValueMember(member, check) : null,
        SchemaNullable nullable => new NullableMember(member, Of(nullable.Value)),
        var kind => new PayloadMember(member, PayloadOf(kind)),
    };

    private PayloadCheck PayloadOf(SchemaKind kind) => kind switch
    {
        SchemaString => new TextCheck(),
        SchemaBinary => new BinaryCheck(),
        SchemaMessage message => new MessageCheck(Of(message)),
        SchemaUnion union => Of(union),
        SchemaList list => new ListCheck(ElementsOf(list.Element)),
        SchemaSet set => new SetCheck(KeysOf(set.Element)),
        SchemaDictionary dictionary => new DictionaryCheck(KeysOf(dictionary.Key), ElementsOf(dictionary.Value)),
        _ => throw new InvalidOperationException($"'{kind}' is not in a slot."),
    };

    private ElementsCheck ElementsOf(SchemaKind element) => element switch
    {
        SchemaValue value => new ValueElementsCheck(Of(value)),
        SchemaNullable nullable => new NullableElementsCheck(Of(nullable.Value)),
        SchemaMessage message => new MessageElementsCheck(Of(message)),
        _ => new SlotElementsCheck(PayloadOf(element)),
    };

    private static KeysCheck KeysOf(SchemaKind key) => key is SchemaScalar scalar ? ScalarChecks.KeysOf(scalar.Name) : new KeysCheck<TextKeys>();

    private static ValueCheck Of(SchemaValue value) => value is SchemaScalar scalar ? ScalarChecks.Of(scalar.Name) : new StructCheck((SchemaStruct)value);
}
