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
    public List<ArbitraryMember> Members { get; init; } = [];

    /// <summary>The union that it is a case of.</summary>
    public ArbitraryUnion? Union { get; init; }

    /// <summary>What it derives from or implements.</summary>
    public string? Base { get; init; }

    /// <summary>How many of its first members its base declares.</summary>
    public int InheritedMembers { get; init; }

    /// <summary>Whether it has a writer in place.</summary>
    public bool HasWriter { get; init; }

    /// <summary>Whether every member that can be null in a message can be null in the object too.</summary>
    public bool HoldsEveryNull => Members.TrueForAll(member => member.Kind.HoldsNullIn(this));

    public string View => Name + "BufferedMessage";

    /// <summary>The same type when it had its first members only.</summary>
    public ArbitraryType Older(int members) => this with { Name = Name + "Old", Members = [.. Members.Take(members)] };

    public void WriteDeclaration(ProgramText text)
    {
        text.Line(HasWriter ? "[BufferedMessageSource(GenerateWriter = true)]" : "[BufferedMessageSource]");
        var bases = Base is null ? "" : " : " + Base;
        if (IsPositional)
        {
            text.Line($"public {Declaration} {Name}({string.Join(", ", Members.Select(member => $"{member.Kind.Type} {member.Name}"))}){bases};");
            return;
        }

        text.Block($"public {Declaration} {Name}{bases}", () => WriteMembers(text, Members.Skip(InheritedMembers)));
    }

    public static void WriteMembers(ProgramText text, IEnumerable<ArbitraryMember> members)
    {
        foreach (var member in members)
        {
            text.Line(member.Style.Replace("{0}", $"{member.Kind.Type} {member.Name}", StringComparison.Ordinal));
        }
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
        if (HasWriter)
        {
            WriteEdit(text);
            WriteFill(text);
        }
    });

    public void WriteCase(ProgramText text) => WriteCase(text, Name + "Case", newer: null);

    /// <summary>The same for messages that a newer program makes.</summary>
    public void WriteNewerCase(ProgramText text, ArbitraryType newer) => WriteCase(text, Name + "NewerCase", newer);

    /// <summary>The code that compares each form's sources with the other's views.</summary>
    public void WritePair(ProgramText text, ArbitraryType older) => WritePair(text, older, older.Members, older.Members);

    /// <summary>The same, where sources are compared with older and newer views in different ways.</summary>
    public void WritePair(ProgramText text, ArbitraryType older, IEnumerable<ArbitraryMember> withOldView, IEnumerable<ArbitraryMember> withNewView) => text.Block($"public static class {Name}Pair", () =>
    {
        text.Block($"public static void AssertOldView({Name} expected, {older.View} view, UnknownCases unknown)", () => AssertMembers(text, withOldView));
        text.Block($"public static void AssertNewView({older.Name} expected, {View} view)", () =>
        {
            AssertMembers(text, withNewView);
            foreach (var member in Members.Skip(older.Members.Count))
            {
                text.Line(member.Kind.AssertDefault("view." + member.Name));
            }
        });
    });

    public void WriteEvolutionCase(ProgramText text, ArbitraryType older) =>
        text.Block($"public sealed class {Name}Evolution : EvolutionCase<{older.Name}, {older.View}, {Name}, {View}>", () =>
        {
            text.Line($"protected override {older.Name} MakeOld(ArbitraryValues values) => {older.Name}Code.Make(values, 1);");
            text.Line($"protected override {Name} MakeNew(ArbitraryValues values) => {Name}Code.Make(values, 1);");
            text.Line($"protected override {older.Name} CopyOld({older.View} view) => view.To{older.Name}();");
            text.Line($"protected override {Name} CopyNew({View} view) => view.To{Name}();");
            text.Line($"protected override void AssertOldView({Name} expected, {older.View} view, UnknownCases unknown) => {Name}Pair.AssertOldView(expected, view, unknown);");
            text.Line($"protected override void AssertNewView({older.Name} expected, {View} view) => {Name}Pair.AssertNewView(expected, view);");
        });

    private static void AssertMembers(ProgramText text, IEnumerable<ArbitraryMember> members)
    {
        foreach (var member in members)
        {
            member.Kind.AssertView(text, "expected." + member.Name, "view." + member.Name);
        }
    }

    private void WriteCase(ProgramText text, string caseName, ArbitraryType? newer) => text.Block($"public sealed class {caseName} : MessageCase<{Name}, {View}>", () =>
    {
        text.Line($"protected override {Name} Make(ArbitraryValues values) => {Name}Code.Make(values, 1);");
        text.Line($"protected override void AssertView({Name} expected, {View} view) => {Name}Code.AssertView(expected, view);");
        text.Line($"protected override {Name} Copy({View} view) => view.To{Name}();");
        text.Line($"public override bool HoldsEveryNull => {(HoldsEveryNull ? "true" : "false")};");
        text.Line($"protected override void Walk({View} view, Walker walker) => {Name}Code.Walk(view, walker);");
        if (HasWriter)
        {
            text.Line("public override bool HasWriter => true;");
            text.Line($"public override void Edit(Span<byte> message, Editor editor) => {Name}Code.Edit(BufferedMessage.Edit<{View}Writer>(message), editor, 1);");
            text.Block($"protected override int WriteInPlace({Name} source, Span<byte> destination)", () =>
            {
                text.Line($"using var builder = new MessageBuilder<{View}Writer>(destination);");
                text.Line($"{Name}Code.Fill(builder.Message, source);");
                text.Line("return builder.Finish();");
            });
        }

        if (newer is not null)
        {
            text.Line("public override bool IsFromNewerWriter => true;");
            text.Line($"public override byte[] MakeMessage(ArbitraryValues values) => {newer.Name}Code.Make(values, 1).ToMessageArray();");
        }
    });

    private void WriteMake(ProgramText text)
    {
        var separator = IsPositional ? ": " : " = ";
        var arguments = string.Join(", ", Members.Select(member => member.Name + separator + member.Kind.Make(text)));
        var creation = IsPositional ? $"new {Name}({arguments})" : $"new {Name} {{ {arguments} }}";
        text.Line($"public static {Name} Make(ArbitraryValues values, int depth) => {creation};");
    }

    private void WriteEdit(ProgramText text)
    {
        // Values first: what is nested can be malformed.
        var edits = Members.OrderBy(member => member.Kind is MessageKind or ListKind).Select(member => member.Kind.Edit(text, "writer." + member.Name)).OfType<string>().ToList();
        text.Block($"public static void Edit({View}Writer writer, Editor editor, int depth)", () =>
        {
            text.Line("if (writer.IsNull || !editor.Enter()) { return; }");
            text.Line("var values = editor.Values;");
            edits.ForEach(text.Line);
        });
    }

    private void WriteFill(ProgramText text) => text.Block($"public static void Fill({View}Writer writer, {Name}? filled)", () =>
    {
        text.Line(IsStruct ? "var source = filled.Value;" : "var source = filled;");
        Members.ForEach(member => member.Kind.Fill(text, member.Name));
    });
}
