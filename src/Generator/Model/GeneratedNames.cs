namespace BufferedMessages.Generator.Model;

/// <summary>
/// All names that generated code declares. Conflicts with user code are resolved by one rule. A name that users write keeps its form, and a
/// user's declaration of it is reported. A name that only generated code writes gets a number, see <see cref="NameScope"/>.
/// </summary>
internal static class GeneratedNames
{
    // In the source. The first two become explicit implementations if they are taken.
    public const string CalculateSize = "CalculateSize";
    public const string Write = "Write";
    public const string Block = "BufferedBlock";

    // In every view, in the view of a tuple, and in the view of a union.
    public const string IsNull = "IsNull";
    public const string Text = nameof(ToString);
    public const string Deconstruct = "Deconstruct";
    public const string Case = "Case";
    public const string IsUnknown = "IsUnknown";

    /// <summary>The enum constant for a null union.</summary>
    public const string NoCase = "None";

    private const string CopyPrefix = "To";
    private const string EnumField = "value__";

    // The parameters and locals of methods that also have a local for each member.
    private static readonly string[] OwnLocals = ["reader", "block", "result"];

    /// <summary>Gets the view of a source or a union.</summary>
    /// <param name="type">The name of the type, without the leading I of an interface.</param>
    public static string ViewOf(string type) => type + "BufferedMessage";

    /// <summary>Gets the writer that belongs to a view.</summary>
    public static string WriterOf(string view) => view + "Writer";

    /// <summary>Gets the enum with the cases of a union.</summary>
    public static string CasesOf(string union) => union + "Case";

    /// <summary>Gets the method of a view that copies the message into an object. It cannot be ToString, which every view has.</summary>
    public static string CopyTo(string type) =>
        string.Equals(CopyPrefix + type, Text, StringComparison.Ordinal) ? Text + "Source" : CopyPrefix + type;

    /// <summary>Gets the method of a union's view that returns a case.</summary>
    public static string As(string @case) => "As" + @case;

    /// <summary>Gets the method of a union's view that returns a case if the union holds it.</summary>
    public static string TryGet(string @case) => "TryGet" + @case;

    /// <summary>Gets the methods of a writer that append a member.</summary>
    public static string AppendOf(string member) => Write + member;

    /// <summary>Gets the type in the block that lists the padding of a member's struct.</summary>
    public static string PaddingOf(string member) => member + "Padding";

    /// <summary>Gets the type in the block that calls the converter of a member.</summary>
    public static string ConverterOf(string member) => member + "Converter";

    /// <summary>Gets the nested view and block of a tuple in a member.</summary>
    /// <param name="member">The name of the member.</param>
    /// <param name="kind">The kind: a tuple, or a key with its value.</param>
    public static string TupleOf(string member, string kind) => member + kind;

    /// <summary>Gets the names that the view of a message reserves. No member can have them.</summary>
    /// <param name="type">The name of the type that the view copies the message to.</param>
    /// <param name="view">The name of the view.</param>
    public static IReadOnlyList<string> InView(string type, string view) => [IsNull, CopyTo(type), view];

    /// <summary>Gets all names in the view of a union.</summary>
    /// <param name="union">The name of the type that the view copies the message to.</param>
    /// <param name="cases">The names of the cases.</param>
    public static IReadOnlyList<string> InUnion(string union, IEnumerable<string> cases) =>
        [IsNull, IsUnknown, Case, Text, CopyTo(union), .. cases.SelectMany(static name => new[] { As(name), TryGet(name) })];

    /// <summary>Determines whether the name of a case conflicts with another member of the enum.</summary>
    public static bool IsTakenInCases(string @case) => @case is NoCase or EnumField;

    /// <summary>Gets the names for the members of a message that only generated code writes.</summary>
    public static IReadOnlyList<MemberNames> OfMembers(IEnumerable<string> members)
    {
        var (locals, paddings) = (new NameScope(OwnLocals), new NameScope([]));
        return [.. members.Select(member => new MemberNames(locals.Take(char.ToLowerInvariant(member[0]) + member.Substring(1)).Escape(), paddings.Take(PaddingOf(member))))];
    }

    /// <summary>Gets the field of a message's view or writer that holds the block.</summary>
    public static string FieldOf(MessageModel message, TypeNames? writer)
    {
        var members = message.Members.Select(static member => member.Name).ToList();
        return new NameScope(
            [.. InView(message.Name, message.View.Name), writer?.Name ?? "", .. members, .. members.Select(AppendOf), .. message.Anonymous().Select(static part => part.Message.View.Name)]).Take("_block");
    }

    /// <summary>Gets the field of a union's view.</summary>
    public static string FieldOf(UnionModel union) => new NameScope([union.View.Name]).Take("_case");
}
