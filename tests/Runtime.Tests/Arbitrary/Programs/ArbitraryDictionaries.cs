namespace BufferedMessages.Runtime.Tests.Arbitrary;

/// <summary>The key of a dictionary or the element of a set: a string that is not null, or a value.</summary>
internal sealed record KeyKind(ValueKind? Value)
{
    public string Type => Value?.Name ?? "string";

    /// <summary>The name of a method that makes a random key.</summary>
    public string MakeMethod(ProgramText methods) => Value?.MakeMethod(methods) ?? "ArbitraryValues.KeyOf";

    /// <summary>The key of the source that a key of the view is.</summary>
    public string OfView(string key) => Value is null ? $"{key}.ToString()!" : key;

    /// <summary>What a key of the view is looked up by.</summary>
    public string Lookup(string key) => Value is null ? $"{key}.Utf8" : key;
}

/// <summary>A dictionary.</summary>
internal sealed record DictionaryKind(KeyKind Key, ArbitraryKind Value, string Shape) : ArbitraryKind
{
    public override string Type => $"{Shape}<{Key.Type}, {Value.Type}>?";

    public override string Make(ProgramText methods)
    {
        var entries = $"values.Entries<{Key.Type}, {Value.Type}>(depth, {Key.MakeMethod(methods)}, {Value.MakeMethod(methods)})";
        var types = $"{Key.Type}, {Value.Type}";
        return Shape is "Dictionary" or "IDictionary" or "IReadOnlyDictionary"
            ? entries
            : $"BufferedMessages.Wire.CollectionCopy.ToDictionary<{Shape}<{types}>, {types}, BufferedMessages.Wire.DictionaryShape<{types}>>({entries})";
    }

    public override void AssertView(ProgramText text, string expected, string actual)
    {
        var (source, view, entry, index) = (text.NewName("source"), text.NewName("view"), text.NewName("entry"), text.NewName("i"));
        text.Line($"var {source} = {expected};");
        text.Line($"var {view} = {actual};");
        text.Line($"Same.Counts({source}?.Count, {view}.IsNull, {view}.Count);");
        text.Line($"Same.Counts({source}?.Count, {view}.Keys.IsNull, {view}.Keys.Count);");
        text.Line($"Same.Counts({source}?.Count, {view}.Values.IsNull, {view}.Values.Count);");
        text.Block($"if ({source} is not null)", () =>
        {
            text.Block($"foreach (var {entry} in {source})", () =>
            {
                text.Line($"Same.Value(true, {view}.ContainsKey({entry}.Key));");
                text.Line($"Same.Value(true, {view}.TryGetValue({entry}.Key, out _));");
                Value.AssertView(text, $"{entry}.Value", $"{view}[{entry}.Key]");
            });
            text.Line($"var {index} = 0;");
            text.Block($"foreach (var {entry}View in {view})", () =>
            {
                text.Line($"Same.Value({Key.OfView(entry + "View.Key")}, {Key.OfView($"{view}.Keys[{index}++]")});");
                Value.AssertView(text, $"{source}[{Key.OfView(entry + "View.Key")}]", entry + "View.Value");
            });
            text.Line($"Same.Value({source}.Count, {index});");
        });
    }

    public override bool HoldsNullIn(ArbitraryType owner) => Value.HoldsNullIn(owner);

    public override void Walk(ProgramText text, string actual)
    {
        var (view, entry) = (text.NewName("view"), text.NewName("entry"));
        text.Line($"var {view} = {actual};");
        text.Block($"foreach (var {entry} in {view})", () =>
        {
            text.Line("if (!walker.Step()) { break; }");
            text.Line($"walker.Value({view}.ContainsKey({Key.Lookup(entry + ".Key")}));");
            text.Line($"walker.Value({Key.OfView(entry + ".Key")});");
            Value.Walk(text, entry + ".Value");
        });
    }
}

/// <summary>A set.</summary>
internal sealed record SetKind(KeyKind Element, string Shape) : ArbitraryKind
{
    public override string Type => $"{Shape}<{Element.Type}>?";

    public override string Make(ProgramText methods)
    {
        var elements = $"values.Elements<{Element.Type}>(depth, {Element.MakeMethod(methods)})";
        return Shape is "HashSet" or "ISet" or "IReadOnlySet"
            ? elements
            : $"BufferedMessages.Wire.CollectionCopy.ToSet<{Shape}<{Element.Type}>, {Element.Type}, BufferedMessages.Wire.SetShape<{Element.Type}>>({elements})";
    }

    public override void AssertView(ProgramText text, string expected, string actual)
    {
        var (source, view, element) = (text.NewName("source"), text.NewName("view"), text.NewName("element"));
        text.Line($"var {source} = {expected};");
        text.Line($"var {view} = {actual};");
        text.Line($"Same.Counts({source}?.Count, {view}.IsNull, {view}.Count);");
        text.Block($"if ({source} is not null)", () =>
        {
            text.Block($"foreach (var {element} in {source})", () => text.Line($"Same.Value(true, {view}.Contains({element}));"));
            text.Block($"foreach (var {element}View in {view})", () => text.Line($"Same.Value(true, {source}.Contains({Element.OfView(element + "View")}));"));
        });
    }

    public override void Walk(ProgramText text, string actual)
    {
        var (view, element) = (text.NewName("view"), text.NewName("element"));
        text.Line($"var {view} = {actual};");
        text.Block($"foreach (var {element} in {view})", () =>
        {
            text.Line("if (!walker.Step()) { break; }");
            text.Line($"walker.Value({view}.Contains({Element.Lookup(element)}));");
            text.Line($"walker.Value({Element.OfView(element)});");
        });
    }
}
