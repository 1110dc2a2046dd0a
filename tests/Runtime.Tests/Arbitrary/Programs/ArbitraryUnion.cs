namespace BufferedMessages.Runtime.Tests.Arbitrary;

/// <summary>A random union, and the code that makes, checks and reads its values.</summary>
/// <param name="name">Of an interface, with its I.</param>
/// <param name="declaration">For example <c>abstract partial class</c>.</param>
/// <param name="level">How deep the messages in it are nested, recursion not counted.</param>
internal sealed class ArbitraryUnion(string name, string declaration, int level)
{
    private bool _isAsked;

    public string Name { get; } = name;

    public int Level { get; } = level;

    public bool IsInterface => declaration == "partial interface";

    public bool IsRecord => declaration == "abstract partial record";

    /// <summary>The members of an abstract class, which all cases have.</summary>
    public List<ArbitraryMember> Members { get; init; } = [];

    /// <summary>The cases from number 1 on; null is a number that is reserved.</summary>
    public List<ArbitraryType?> Numbers { get; init; } = [];

    public string View => SimpleName + "BufferedMessage";

    /// <summary>Whether every member of every case that can be null in a message can be null in the object too.</summary>
    public bool HoldsEveryNull
    {
        get
        {
            // A case can hold the union.
            if (_isAsked)
            {
                return true;
            }

            _isAsked = true;
            var holds = Cases.All(one => one.Type.HoldsEveryNull);
            _isAsked = false;
            return holds;
        }
    }

    private string SimpleName => IsInterface ? Name[1..] : Name;

    private IEnumerable<(int Number, ArbitraryType Type)> Cases => Numbers.Index().Where(one => one.Item is not null).Select(one => (one.Index + 1, one.Item!));

    /// <summary>The same union when it had its first cases only, and each had its first members only.</summary>
    /// <param name="cases">How many it had.</param>
    /// <param name="pickMembers">How many members a case had, of at least and at most so many.</param>
    public ArbitraryUnion Older(int cases, Func<int, int, int> pickMembers)
    {
        var older = new ArbitraryUnion(Name + "Old", declaration, Level) { Members = Members };
        foreach (var type in Numbers.Take(cases))
        {
            older.Numbers.Add(type is null
                ? null
                : type.Older(pickMembers(Math.Max(1, Members.Count), type.Members.Count)) with { Union = older, Base = older.Name, InheritedMembers = Members.Count });
        }

        return older;
    }

    public void WriteDeclaration(ProgramText text)
    {
        text.Line("[BufferedMessageUnion]");
        foreach (var (index, type) in Numbers.Index())
        {
            text.Line(type is null ? $"[BufferedReserved({index + 1})]" : $"[BufferedCase<{type.Name}>({index + 1})]");
        }

        text.Block($"public {declaration} {Name}", () => ArbitraryType.WriteMembers(text, Members));
        foreach (var (_, type) in Cases)
        {
            type.WriteDeclaration(text);
        }
    }

    public void WriteCode(ProgramText text)
    {
        foreach (var (_, type) in Cases)
        {
            type.WriteCode(text);
        }

        text.Block($"public static class {Name}Code", () =>
        {
            var choices = Cases.Select((one, index) => $"{index} => {one.Type.Name}Code.Make(values, depth)");
            text.Line($"public static {Name} Make(ArbitraryValues values, int depth) => values.Choice({Cases.Count()}) switch {{ {string.Join(", ", choices)}, _ => throw new InvalidOperationException() }};");
            text.Block($"public static void AssertView({Name}? source, {View} view)", () =>
                WriteSwitch(text, (_, type) => $"{Is(type)} {type.Name}Code.AssertView(value, view.As{type.Name}());"));
            WriteWalk(text);
        });
    }

    /// <summary>The case that checks the union as the root of a message.</summary>
    public void WriteCase(ProgramText text) => WriteCase(text, Name + "RootCase", newer: null);

    /// <summary>The same for messages that a newer program makes.</summary>
    public void WriteNewerCase(ProgramText text, ArbitraryUnion newer) => WriteCase(text, Name + "NewerRootCase", newer);

    /// <summary>The code that compares each form's sources with the other's views.</summary>
    public void WritePair(ProgramText text, ArbitraryUnion older)
    {
        var known = older.Cases.ToDictionary(one => one.Number, one => one.Type);
        foreach (var (number, type) in Cases.Where(one => known.ContainsKey(one.Number)))
        {
            type.WritePair(text, known[number]);
        }

        text.Block($"public static class {Name}Pair", () =>
        {
            text.Block($"public static void AssertOldView({Name}? source, {older.View} view, UnknownCases unknown)", () =>
                WriteSwitch(text, (number, type) => known.TryGetValue(number, out var old)
                    ? $"{older.Is(old)} {type.Name}Pair.AssertOldView(value, view.As{old.Name}(), unknown);"
                    : $"unknown.Add({number}, (int)view.Case, view.IsUnknown);"));
            text.Block($"public static void AssertNewView({older.Name}? source, {View} view)", () =>
                older.WriteSwitch(text, (number, _) => $"{Is(Numbers[number - 1]!)} {Numbers[number - 1]!.Name}Pair.AssertNewView(value, view.As{Numbers[number - 1]!.Name}());"));
        });
    }

    public void WriteEvolutionCase(ProgramText text, ArbitraryUnion older) =>
        text.Block($"public sealed class {Name}Evolution : EvolutionCase<{older.Name}, {older.View}, {Name}, {View}>", () =>
        {
            text.Line($"protected override {older.Name} MakeOld(ArbitraryValues values) => {older.Name}Code.Make(values, 1);");
            text.Line($"protected override {Name} MakeNew(ArbitraryValues values) => {Name}Code.Make(values, 1);");
            text.Line($"protected override {older.Name} CopyOld({older.View} view) => view.To{older.SimpleName}();");
            text.Line($"protected override {Name} CopyNew({View} view) => view.To{SimpleName}();");
            text.Line($"protected override void AssertOldView({Name} expected, {older.View} view, UnknownCases unknown) => {Name}Pair.AssertOldView(expected, view, unknown);");
            text.Line($"protected override void AssertNewView({older.Name} expected, {View} view) => {Name}Pair.AssertNewView(expected, view);");
        });

    private string Is(ArbitraryType type) => $"Same.Value(false, view.IsUnknown); Same.Value({SimpleName}Case.{type.Name}, view.Case);";

    // A case can be derived from another one.
    private void WriteSwitch(ProgramText text, Func<int, ArbitraryType, string> compare)
    {
        text.Line("Same.Null(source is null, view.IsNull);");
        text.Block("switch (source)", () =>
        {
            text.Line("case null: Same.Value(0, (int)view.Case); break;");
            foreach (var (number, type) in Cases)
            {
                text.Line($"case {type.Name} value when value.GetType() == typeof({type.Name}): {compare(number, type)} break;");
            }

            text.Line("default: throw new InvalidOperationException();");
        });
    }

    private void WriteWalk(ProgramText text) => text.Block($"public static void Walk({View} view, Walker walker)", () =>
    {
        text.Line("if (view.IsNull || !walker.Enter()) { return; }");
        text.Line("walker.Value(view.IsUnknown);");
        foreach (var (_, type) in Cases)
        {
            text.Line($"if (view.TryGet{type.Name}(out var view{type.Name})) {{ {type.Name}Code.Walk(view{type.Name}, walker); }}");
        }

        text.Line("walker.Leave();");
    });

    private void WriteCase(ProgramText text, string caseName, ArbitraryUnion? newer) =>
        text.Block($"public sealed class {caseName} : MessageCase<{Name}, {View}>", () =>
        {
            text.Line($"protected override {Name} Make(ArbitraryValues values) => {Name}Code.Make(values, 1);");
            text.Line($"protected override void AssertView({Name} expected, {View} view) => {Name}Code.AssertView(expected, view);");
            text.Line($"protected override {Name} Copy({View} view) => view.IsNull ? null : view.To{SimpleName}();");
            text.Line($"public override bool HoldsEveryNull => {(HoldsEveryNull ? "true" : "false")};");
            text.Line($"protected override void Walk({View} view, Walker walker) => {Name}Code.Walk(view, walker);");
            if (newer is not null)
            {
                text.Line("public override bool IsFromNewerWriter => true;");
                text.Line($"public override byte[] MakeMessage(ArbitraryValues values) => {newer.Name}Code.Make(values, 1).ToMessageArray();");
            }
        });
}

/// <summary>A union.</summary>
/// <param name="Comparison">What compares a source <c>{0}</c> with a view <c>{1}</c>, if the two are of different age.</param>
internal sealed record UnionKind(ArbitraryUnion Union, string? Comparison = null) : ArbitraryKind
{
    public override string Type => Union.Name + "?";

    public override string Make(ProgramText methods) => $"values.MaybeMessage<{Union.Name}>(depth, {Union.Name}Code.Make)";

    public override void AssertView(ProgramText text, string expected, string actual) => text.Line(
        (Comparison ?? Union.Name + "Code.AssertView({0}, {1});").Replace("{0}", expected, StringComparison.Ordinal).Replace("{1}", actual, StringComparison.Ordinal));

    public override bool HoldsNullIn(ArbitraryType owner) => Union.HoldsEveryNull;

    public override void Walk(ProgramText text, string actual) => text.Line($"{Union.Name}Code.Walk({actual}, walker);");
}
