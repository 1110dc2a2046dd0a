using System.Globalization;
using BufferedMessages.Generator.Model;

namespace BufferedMessages.Generator.Parsing;

/// <summary>
/// Makes anonymous messages of the tuples in the members of one message. Their block and view lie in those of the message. In the schema text
/// they are called by its name and the ordinal of the member: no C# type has such a name, and a renamed member changes nothing.
/// </summary>
internal sealed class TupleMessages
{
    private readonly string _schema;
    private readonly string _block;
    private readonly string _view;
    private readonly NameScope _names;

    /// <summary>Starts with the names of the message.</summary>
    /// <param name="schema">The message's name in the schema text.</param>
    /// <param name="block">Its block type.</param>
    /// <param name="view">Its view type.</param>
    /// <param name="taken">The names in the view.</param>
    public TupleMessages(string schema, string block, string view, IEnumerable<string> taken)
    {
        _schema = schema;
        _block = block;
        _view = view;
        // The views of tuples copy them, and a type has no method of its own name.
        _names = new NameScope([.. taken, GeneratedNames.CopyTo(TupleTypes.Tuple), GeneratedNames.CopyTo(TupleTypes.KeyValuePair)]);
    }

    /// <summary>The kind of a member, in which messages stand for tuples.</summary>
    /// <param name="kind">The kind as the type says it.</param>
    /// <param name="ordinal">The member's ordinal.</param>
    /// <param name="member">The member's name.</param>
    /// <param name="cautions">What the views of tuples repeat of the member.</param>
    public MemberKind Replace(MemberKind kind, int ordinal, string member, EquatableArray<string> cautions) => kind switch
    {
        TupleKind tuple => MessageOf(tuple, ordinal, member, cautions),
        ListKind list => list with { Element = Replace(list.Element, ordinal, member, cautions) },
        DictionaryKind dictionary => dictionary with { Value = Replace(dictionary.Value, ordinal, member, cautions) },
        _ => kind,
    };

    private MessageKind MessageOf(TupleKind tuple, int ordinal, string member, EquatableArray<string> cautions)
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
        message = message with { Members = new EquatableArray<MemberModel>(MembersOf(message, tuple)) };
        return new MessageKind(message.FullName, message.Type, message.Block, message.View.Type, Writer: null, tuple.Form) { Anonymous = message };
    }

    private static IEnumerable<MemberModel> MembersOf(MessageModel message, TupleKind tuple)
    {
        var taken = GeneratedNames.InView(message.Name, message.View.Name);
        var names = tuple.Items.Select((item, index) => taken.Contains(item.Name, StringComparer.Ordinal) ? ItemName(index) : item.Name).ToList();
        var inner = new TupleMessages(message.FullName, message.Block, message.View.Type, taken.Concat(names));
        return names.Select((name, index) => new MemberModel(
            name,
            name.Escape(),
            inner.Replace(tuple.Items[index].Kind, index, name, cautions: default),
            MemberRestore.Constructor,
            KeepsInitializer: false,
            IsRequired: false,
            new EquatableArray<string>([$"<summary>The member <c>{name}</c> of the <c>{message.Name}</c>.</summary>"]),
            Cautions: default));
    }

    // Every tuple has its items by these names too.
    private static string ItemName(int index) => string.Format(CultureInfo.InvariantCulture, "Item{0}", index + 1);
}
