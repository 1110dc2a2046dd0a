using System.Globalization;
using BufferedMessages.Generator.Model;

namespace BufferedMessages.Generator.Parsing;

/// <summary>
/// The placement of kinds in the members of one message. Tuples become anonymous messages, whose blocks and views are nested in those of the message. In the schema
/// text each is named by the message and the ordinal of the member. No C# type has such a name, and renaming a member does not change it. Converters get a type
/// nested in the block that calls them.
/// </summary>
internal sealed class KindPlacement
{
    private readonly string _schema;
    private readonly string _block;
    private readonly string _view;
    private readonly NameScope _names;
    private readonly NameScope _adapters = new([]);
    private readonly string _path;

    /// <summary>Initializes the names of the message.</summary>
    /// <param name="schema">The message's name in the schema text.</param>
    /// <param name="block">Its block type.</param>
    /// <param name="view">Its view type.</param>
    /// <param name="taken">The names in the view.</param>
    /// <param name="path">The member that the message is in, for exceptions; empty for that of a source.</param>
    public KindPlacement(string schema, string block, string view, IEnumerable<string> taken, string path = "")
    {
        _schema = schema;
        _block = block;
        _view = view;
        _path = path;
        // A type cannot have a method of its own name, so a view must not be named like the method that copies it.
        _names = new NameScope([.. taken, GeneratedNames.CopyTo(TupleTypes.Tuple), GeneratedNames.CopyTo(TupleTypes.KeyValuePair)]);
    }

    /// <summary>Places a member's kind: replaces tuples by messages, and names the types that call converters.</summary>
    /// <param name="kind">The kind that follows from the type.</param>
    /// <param name="ordinal">The member's ordinal.</param>
    /// <param name="member">The member's name.</param>
    /// <param name="cautions">The member's attributes that the views of tuples repeat.</param>
    public MemberKind Place(MemberKind kind, int ordinal, string member, EquatableArray<string> cautions) =>
        Place(kind, ordinal, member, _path.Length == 0 ? member : $"{_path}.{member}", cautions);

    private MemberKind Place(MemberKind kind, int ordinal, string member, string path, EquatableArray<string> cautions) => kind switch
    {
        TupleKind tuple => MessageOf(tuple, ordinal, member, path, cautions),
        ConvertedKind converted => converted with { Adapter = $"{_block}.{_adapters.Take(GeneratedNames.ConverterOf(member))}", Path = path },
        ListKind list => list with { Element = Place(list.Element, ordinal, member, path, cautions) },
        SetKind set => set with { Element = Place(set.Element, ordinal, member, path, cautions) },
        DictionaryKind dictionary => dictionary with
        {
            Key = Place(dictionary.Key, ordinal, member, path + ".Keys", cautions),
            Value = Place(dictionary.Value, ordinal, member, path + ".Values", cautions),
        },
        _ => kind,
    };

    private MessageKind MessageOf(TupleKind tuple, int ordinal, string member, string path, EquatableArray<string> cautions)
    {
        var name = _names.Take(GeneratedNames.TupleOf(member, tuple.Name));
        var message = new MessageModel(
            string.Format(CultureInfo.InvariantCulture, "{0}.{1}", _schema, ordinal),
            tuple.Name,
            tuple.Type,
            Description: $"a <c>{tuple.Name}</c> of <c>{member}</c>",
            Block: $"{_block}.{name}",
            new TypeNames("public", name, $"{_view}.{name}"),
            IsAnonymous: true,
            Members: default,
            Reserved: default,
            new ConstructorModel(tuple.Constructor, new EquatableArray<int>(Enumerable.Range(0, tuple.Items.Count))))
        {
            Cautions = cautions,
        };
        message = message with { Members = new EquatableArray<MemberModel>(MembersOf(message, tuple, path)) };
        return new MessageKind(message.FullName, message.Type, message.Block, message.View.Type, Writer: null, tuple.Form) { Anonymous = message };
    }

    private static IEnumerable<MemberModel> MembersOf(MessageModel message, TupleKind tuple, string path)
    {
        var taken = GeneratedNames.InView(message.Name, message.View.Name);
        var names = tuple.Items.Select((item, index) => taken.Contains(item.Name, StringComparer.Ordinal) ? ItemName(index) : item.Name).ToList();
        var inner = new KindPlacement(message.FullName, message.Block, message.View.Type, taken.Concat(names), path);
        return names.Select((name, index) => new MemberModel(
            name,
            name.Escape(),
            inner.Place(tuple.Items[index].Kind, index, name, cautions: default),
            MemberRestore.Constructor,
            KeepsInitializer: false,
            IsRequired: false,
            new EquatableArray<string>([$"<summary>The member <c>{name}</c> of the <c>{message.Name}</c>.</summary>"]),
            Cautions: default));
    }

    // Every tuple can be accessed by these names too.
    private static string ItemName(int index) => string.Format(CultureInfo.InvariantCulture, "Item{0}", index + 1);
}
