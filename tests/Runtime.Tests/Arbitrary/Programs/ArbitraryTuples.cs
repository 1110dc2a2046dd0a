namespace BufferedMessages.Runtime.Tests.Arbitrary;

/// <summary>A tuple, or a key with its value.</summary>
/// <param name="Items">Their names are the same in the source and in the view.</param>
/// <param name="IsPair">It is a <see cref="KeyValuePair{TKey, TValue}"/>.</param>
/// <param name="IsNullable">It may be null.</param>
internal sealed record TupleKind(IReadOnlyList<(string Name, ArbitraryKind Kind)> Items, bool IsPair, bool IsNullable) : ArbitraryKind
{
    public override string Type => Bare + (IsNullable ? "?" : "");

    private string Bare => IsPair
        ? $"KeyValuePair<{string.Join(", ", Items.Select(static item => item.Kind.Type))}>"
        : $"({string.Join(", ", Items.Select(static item => $"{item.Kind.Type} {item.Name}"))})";

    public override string Make(ProgramText methods)
    {
        var items = string.Join(", ", Items.Select(item => item.Kind.Make(methods)));
        var name = methods.NewName("MakeItems");
        methods.Line($"private static {Bare} {name}(ArbitraryValues values, int depth) => {(IsPair ? "new " + Bare : "")}({items});");
        return IsNullable ? $"values.MaybeStruct<{Bare}>(depth, {name})" : $"{name}(values, depth + 1)";
    }

    public override void AssertView(ProgramText text, string expected, string actual)
    {
        var (source, view) = (text.NewName("source"), text.NewName("view"));
        text.Line($"{Bare}? {source} = {expected};");
        text.Line($"var {view} = {actual};");

        // A tuple that is null in the message is the default one in the object, if it cannot be null.
        text.Line(IsNullable
            ? $"Same.Null({source} is null, {view}.IsNull);"
            : $"if ({view}.IsNull) {{ Same.Value<{Bare}>(default, {source}.Value); }}");
        text.Block($"if (!{view}.IsNull)", () =>
        {
            foreach (var (name, kind) in Items)
            {
                kind.AssertView(text, $"{source}.Value.{name}", $"{view}.{name}");
            }
        });
    }

    public override bool HoldsNullIn(ArbitraryType owner) => IsNullable && Items.All(item => item.Kind.HoldsNullIn(owner));

    public override void Walk(ProgramText text, string actual)
    {
        var view = text.NewName("view");
        text.Line($"var {view} = {actual};");
        text.Block($"if (!{view}.IsNull && walker.Step())", () =>
        {
            foreach (var (name, kind) in Items)
            {
                kind.Walk(text, $"{view}.{name}");
            }
        });
    }
}
