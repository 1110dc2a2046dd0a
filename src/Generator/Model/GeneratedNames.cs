namespace BufferedMessages.Generator.Model;

/// <summary>
/// Makes every name that generated code declares. One rule resolves clashes with the names of a user's code: a name that users write keeps its form, and a
/// declaration that takes it is reported; a name that only generated code writes gives way and gets a number, see <see cref="NameScope"/>.
/// </summary>
internal static class GeneratedNames
{
    // In the source, the first two as explicit implementations where they are taken.
    public const string CalculateSize = "CalculateSize";
    public const string Write = "Write";
    public const string Block = "BufferedBlock";

    // In every view, in that of a tuple, and in that of a union.
    public const string IsNull = "IsNull";
    public const string Text = nameof(ToString);
    public const string Deconstruct = "Deconstruct";
    public const string Case = "Case";
    public const string IsUnknown = "IsUnknown";

    /// <summary>The constant of the enum with a union's cases for no case at all.</summary>
    public const string NoCase = "None";

    private const string CopyPrefix = "To";
    private const string EnumField = "value__";

    // The parameters and locals of the methods that have a local for each member.
    private static readonly string[] OwnLocals = ["reader", "block", "result"];

    /// <summary>The view of a source or a union.</summary>
    /// <param name="type">The name of the type, for an interface without its I.</param>
    public static string ViewOf(string type) => type + "BufferedMessage";

    /// <summary>The writer that belongs to a view.</summary>
    public static string WriterOf(string view) => view + "Writer";

    /// <summary>The enum with the cases of a union.</summary>
    public static string CasesOf(string union) => union + "Case";

    /// <summary>The method of a view that copies the message into an object. Every view has a ToString already.</summary>
    public static string CopyTo(string type) =>
        string.Equals(CopyPrefix + type, Text, StringComparison.Ordinal) ? Text + "Source" : CopyPrefix + type;

    /// <summary>The method of a union's view that gives a case.</summary>
    public static string As(string @case) => "As" + @case;

    /// <summary>The method of a union's view that gives a case if the union holds it.</summary>
    public static string TryGet(string @case) => "TryGet" + @case;

    /// <summary>The methods of a writer that append a member.</summary>
    public static string AppendOf(string member) => Write + member;

    /// <summary>The type in the block that says where the struct of a member has padding.</summary>
    public static string PaddingOf(string member) => member + "Padding";

    /// <summary>The nested view and block of a tuple in a member.</summary>
    /// <param name="member">The name of the member.</param>
    /// <param name="kind">What it is: a tuple, or a key with its value.</param>
    public static string TupleOf(string member, string kind) => member + kind;

    /// <summary>The names that the view of a message needs for itself: no member can have them.</summary>
    /// <param name="type">The name of what it copies the message to.</param>
    /// <param name="view">The name of the view.</param>
    public static IReadOnlyList<string> InView(string type, string view) => [IsNull, CopyTo(type), view];

    /// <summary>All names in the view of a union.</summary>
    /// <param name="union">The name of what it copies the message to.</param>
    /// <param name="cases">The names of the cases.</param>
    public static IReadOnlyList<string> InUnion(string union, IEnumerable<string> cases) =>
        [IsNull, IsUnknown, Case, Text, CopyTo(union), .. cases.SelectMany(static name => new[] { As(name), TryGet(name) })];

    /// <summary>Whether an enum cannot have a constant of this name beside that for no case.</summary>
    public static bool IsTakenInCases(string @case) => @case is NoCase or EnumField;

    /// <summary>The names that belong to the members of a message and that only generated code writes.</summary>
    public static IReadOnlyList<MemberNames> OfMembers(IEnumerable<string> members)
    {
        var (locals, paddings) = (new NameScope(OwnLocals), new NameScope([]));
        return [.. members.Select(member => new MemberNames(locals.Take(char.ToLowerInvariant(member[0]) + member.Substring(1)).Escape(), paddings.Take(PaddingOf(member))))];
    }

    /// <summary>The field of a message's view, and of its writer: what they read and write.</summary>
    public static string FieldOf(MessageModel message, TypeNames? writer)
    {
        var members = message.Members.Select(static member => member.Name).ToList();
        return new NameScope(
            [.. InView(message.Name, message.View.Name), writer?.Name ?? "", .. members, .. members.Select(AppendOf), .. message.Anonymous().Select(static part => part.Message.View.Name)]).Take("_block");
    }

    /// <summary>The field of a union's view.</summary>
    public static string FieldOf(UnionModel union) => new NameScope([union.View.Name]).Take("_case");
}
