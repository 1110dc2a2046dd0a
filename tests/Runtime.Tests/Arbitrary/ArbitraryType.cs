namespace BufferedMessages.Runtime.Tests.Arbitrary;

/// <summary>A member of a random type.</summary>
/// <param name="Style">Its declaration, with <c>{0}</c> for type and name.</param>
internal sealed record ArbitraryMember(string Name, ArbitraryKind Kind, string Style);

/// <summary>A random type, and the code that makes, checks and reads its values.</summary>
/// <param name="Declaration">For example <c>partial record class</c>.</param>
/// <param name="IsPositional">A record whose members are the parameters of its constructor.</param>
/// <param name="Level">How deep the messages in it are nested, itself included and recursion not counted.</param>
internal sealed record ArbitraryType(string Name, string Declaration, bool IsStruct, bool IsPositional, int Level)
{
    public List<ArbitraryMember> Members { get; } = [];

    /// <summary>Whether every member that can be null in a message can be null in the object too.</summary>
    public bool HoldsEveryNull => Members.TrueForAll(member => member.Kind.HoldsNullIn(this));

    private string View => Name + "BufferedMessage";

    /// <summary>The same type when it had its first members only.</summary>
    public ArbitraryType Older(int members)
    {
        var older = this with { Name = Name + "Old" };
        return older.WithMembers(Members.Take(members));
    }

    public void WriteDeclaration(ProgramText text)
    {
        text.Line("[BufferedMessageSource]");
        if (IsPositional)
        {
            text.Line($"public {Declaration} {Name}({string.Join(", ", Members.Select(member => $"{member.Kind.Type} {member.Name}"))});");
            return;
        }

        text.Block($"public {Declaration} {Name}", () =>
        {
            foreach (var member in Members)
            {
                text.Line(member.Style.Replace("{0}", $"{member.Kind.Type} {member.Name}", StringComparison.Ordinal));
            }
        });
    }

    public void WriteCode(ProgramText text) => text.Block($"public static class {Name}Code", () =>
    {
        WriteMake(text);
        text.Block($"public static void AssertView({Name}? source, {View} view)", () =>
        {
            text.Line("Same.Null(source is null, view.IsNull);");
            text.Line("if (source is not { } expected) { return; }");
            AssertMembers(text, Members);
        });
        text.Block($"public static void Walk({View} view, Walker walker)", () =>
        {
            text.Line("if (view.IsNull || !walker.Enter()) { return; }");
            foreach (var member in Members)
            {
                member.Kind.Walk(text, "view." + member.Name);
            }

            text.Line("walker.Leave();");
        });
    });

    public void WriteCase(ProgramText text) => text.Block($"public sealed class {Name}Case : MessageCase<{Name}>", () =>
    {
        text.Line($"protected override {Name} Make(ArbitraryValues values) => {Name}Code.Make(values, 1);");
        text.Line($"protected override void AssertView({Name} expected, ReadOnlySpan<byte> message) => {Name}Code.AssertView(expected, new {View}(message));");
        text.Line($"protected override {Name} Copy(ReadOnlySpan<byte> message) => new {View}(message).To{Name}();");
        text.Line($"public override bool Verify(ReadOnlySpan<byte> message, out MessageError error, bool exact) => BufferedMessage.Verify<{View}>(message, out error, exact);");
        text.Line($"public override bool HoldsEveryNull => {(HoldsEveryNull ? "true" : "false")};");
        text.Line($"protected override void Walk(ReadOnlySpan<byte> message, Walker walker) => {Name}Code.Walk(new {View}(message), walker);");
    });

    public void WriteEvolutionCase(ProgramText text, ArbitraryType older) => text.Block($"public sealed class {Name}Evolution : EvolutionCase<{older.Name}, {Name}>", () =>
    {
        text.Line($"protected override {older.Name} MakeOld(ArbitraryValues values) => {older.Name}Code.Make(values, 1);");
        text.Line($"protected override {Name} MakeNew(ArbitraryValues values) => {Name}Code.Make(values, 1);");
        text.Line($"protected override {older.Name} CopyOld(ReadOnlySpan<byte> message) => new {older.View}(message).To{older.Name}();");
        text.Line($"protected override {Name} CopyNew(ReadOnlySpan<byte> message) => new {View}(message).To{Name}();");
        text.Line($"protected override bool VerifyOld(ReadOnlySpan<byte> message, out MessageError error) => BufferedMessage.Verify<{older.View}>(message, out error);");
        text.Line($"protected override bool VerifyNew(ReadOnlySpan<byte> message, out MessageError error) => BufferedMessage.Verify<{View}>(message, out error);");
        text.Block($"protected override void AssertOldView({Name} expected, ReadOnlySpan<byte> message)", () =>
        {
            text.Line($"var view = new {older.View}(message);");
            AssertMembers(text, older.Members);
        });
        text.Block($"protected override void AssertNewView({older.Name} expected, ReadOnlySpan<byte> message)", () =>
        {
            text.Line($"var view = new {View}(message);");
            AssertMembers(text, older.Members);
            foreach (var member in Members.Skip(older.Members.Count))
            {
                text.Line(member.Kind.AssertDefault("view." + member.Name));
            }
        });
    });

    private static void AssertMembers(ProgramText text, IEnumerable<ArbitraryMember> members)
    {
        foreach (var member in members)
        {
            member.Kind.AssertView(text, "expected." + member.Name, "view." + member.Name);
        }
    }

    private ArbitraryType WithMembers(IEnumerable<ArbitraryMember> members)
    {
        var copy = new ArbitraryType(Name, Declaration, IsStruct, IsPositional, Level);
        copy.Members.AddRange(members);
        return copy;
    }

    private void WriteMake(ProgramText text)
    {
        var separator = IsPositional ? ": " : " = ";
        var arguments = string.Join(", ", Members.Select(member => member.Name + separator + member.Kind.Make(text)));
        var creation = IsPositional ? $"new {Name}({arguments})" : $"new {Name} {{ {arguments} }}";
        text.Line($"public static {Name} Make(ArbitraryValues values, int depth) => {creation};");
    }
}
