namespace BufferedMessages.Runtime.Tests.Arbitrary;

/// <summary>The kind of a member of a random type: its C# type, and the code that makes, checks and reads its values.</summary>
internal abstract record ArbitraryKind
{
    /// <summary>The C# type of the member.</summary>
    public abstract string Type { get; }

    /// <summary>
    /// An expression that makes a random value; <c>values</c> and <c>depth</c> are in scope. What it calls for elements is added as methods:
    /// the compiler binds the lambdas of nested lists again and again.
    /// </summary>
    public abstract string Make(ProgramText methods);

    /// <summary>Statements that compare an expression of the source with one of the view.</summary>
    public abstract void AssertView(ProgramText text, string expected, string actual);

    /// <summary>A statement that checks that an expression of the view is zero or null.</summary>
    public virtual string AssertDefault(string actual) => $"Same.Null(true, {actual}.IsNull);";

    /// <summary>The name of a method that makes a random value. What the tests have already is not compiled again and again.</summary>
    public virtual string MakeMethod(ProgramText methods)
    {
        var expression = Make(methods);
        var name = methods.NewName("Make");
        methods.Line($"private static {Type} {name}(ArbitraryValues values, int depth) => {expression};");
        return name;
    }

    /// <summary>
    /// A statement that sets what an expression of the writer can set in place, or null; <c>values</c>, <c>depth</c> and <c>editor</c> are in
    /// scope.
    /// </summary>
    public virtual string? Edit(ProgramText methods, string actual) => null;

    /// <summary>Statements that write a member in place as the object <c>source</c> has it; <c>writer</c> is in scope.</summary>
    public virtual void Fill(ProgramText text, string member) => text.Line($"writer.Write{member}(source.{member});");

    /// <summary>Whether what is null in a message is null in the object too.</summary>
    public virtual bool HoldsNullIn(ArbitraryType owner) => true;

    /// <summary>Statements that read everything of an expression of the view; <c>walker</c> is in scope.</summary>
    public abstract void Walk(ProgramText text, string actual);

    /// <summary>A statement that sets a member of fixed size, unless its message has no room for it.</summary>
    protected string Set(ProgramText methods, string actual)
    {
        var value = methods.NewName("value");
        return $"{Type} {value} = {Make(methods)}; try {{ {actual} = {value}; editor.Check<{Type}>({value}, {actual}); }} catch (InvalidOperationException) {{ editor.Miss(); }}";
    }
}

/// <summary>A scalar, an enum or a struct.</summary>
/// <param name="MakeExpression">What makes a struct; null for all others.</param>
internal sealed record ValueKind(string Name, string? MakeExpression, bool IsChecked) : ArbitraryKind
{
    public override string Type => Name;

    public override string Make(ProgramText methods) => MakeExpression ?? $"values.Next<{Name}>()";

    public override string MakeMethod(ProgramText methods) => MakeExpression is null ? $"ArbitraryValues.NextOf<{Name}>" : base.MakeMethod(methods);

    public override void AssertView(ProgramText text, string expected, string actual) => text.Line($"Same.Value<{Name}>({expected}, {actual});");

    public override string AssertDefault(string actual) => $"Same.Value<{Name}>(default({Name}), {actual});";

    public override void Fill(ProgramText text, string member) => text.Line($"writer.{member} = source.{member};");

    public override string Edit(ProgramText methods, string actual) => Set(methods, actual);

    public override void Walk(ProgramText text, string actual) => text.Line($"walker.Value({actual});");
}

/// <summary>A value that may be null.</summary>
internal sealed record NullableKind(ValueKind Value) : ArbitraryKind
{
    public override string Type => Value.Name + "?";

    public override string Make(ProgramText methods) => $"values.Maybe<{Value.Name}>({Value.MakeMethod(methods)})";

    public override void AssertView(ProgramText text, string expected, string actual) => text.Line($"Same.Value<{Type}>({expected}, {actual});");

    public override string AssertDefault(string actual) => $"Same.Value<{Type}>(null, {actual});";

    public override void Fill(ProgramText text, string member) => text.Line($"writer.{member} = source.{member};");

    public override string Edit(ProgramText methods, string actual) => Set(methods, actual);

    public override void Walk(ProgramText text, string actual) => text.Line($"walker.Value({actual});");
}

/// <summary>A string.</summary>
internal sealed record TextKind : ArbitraryKind
{
    public override string Type => "string?";

    public override string Make(ProgramText methods) => "values.Text()";

    public override string MakeMethod(ProgramText methods) => "ArbitraryValues.TextOf";

    public override void AssertView(ProgramText text, string expected, string actual) => text.Line($"Same.Text({expected}, {actual});");

    // Of some it has the UTF-8, as a caller may have it.
    public override void Fill(ProgramText text, string member) =>
        text.Line($"if (source.{member} is {{ Length: > 8 }} {member}Text) {{ writer.Write{member}(System.Text.Encoding.UTF8.GetBytes({member}Text)); }} else {{ writer.Write{member}(source.{member}); }}");

    public override void Walk(ProgramText text, string actual) => text.Line($"walker.Text({actual});");
}

/// <summary>A binary.</summary>
internal sealed record BinaryKind(string Shape) : ArbitraryKind
{
    public override string Type => Shape;

    public override string Make(ProgramText methods) => Shape switch
    {
        "ImmutableArray<byte>" => "ImmutableCollectionsMarshal.AsImmutableArray(values.Bytes())",
        "ArraySegment<byte>" => "BufferedMessages.Wire.CollectionCopy.ToList<ArraySegment<byte>, byte, BufferedMessages.Wire.ListShape<byte>>(values.Bytes())",
        "ReadOnlyMemory<byte>?" => "values.MaybeMemory()",
        _ => "values.Bytes()",
    };

    public override void AssertView(ProgramText text, string expected, string actual)
    {
        var array = Shape switch
        {
            "ImmutableArray<byte>" => $"Same.ImmutableArray<byte>({expected})",
            "ArraySegment<byte>" => $"Same.SegmentArray<byte>({expected})",
            "ReadOnlyMemory<byte>?" => $"Same.NullableMemoryArray<byte>({expected})",
            "Memory<byte>" or "ReadOnlyMemory<byte>" => $"Same.MemoryArray<byte>({expected}, Same.IsNullSpan<byte>({actual}))",
            _ => expected,
        };
        text.Line($"Same.Values<byte>({array}, {actual});");
    }

    public override string AssertDefault(string actual) => $"Same.NullSpan<byte>({actual});";

    public override bool HoldsNullIn(ArbitraryType owner) => Shape is not ("Memory<byte>" or "ReadOnlyMemory<byte>");

    public override void Walk(ProgramText text, string actual) => text.Line($"walker.Bytes({actual});");
}

/// <summary>A nested message.</summary>
internal sealed record MessageKind(ArbitraryType Message, bool IsNullable) : ArbitraryKind
{
    public override string Type => Message.Name + (IsNullable ? "?" : "");

    public override string Make(ProgramText methods)
    {
        var make = $"{Message.Name}Code.Make";
        if (!IsNullable)
        {
            return $"{make}(values, depth + 1)";
        }

        return Message.IsStruct ? $"values.MaybeStruct<{Message.Name}>(depth, {make})" : $"values.MaybeMessage<{Message.Name}>(depth, {make})";
    }

    // A struct that is null in the message is the default one in the object.
    public override void AssertView(ProgramText text, string expected, string actual) =>
        text.Line(Message.IsStruct && !IsNullable
            ? $"if ({actual}.IsNull) {{ Same.Value<{Type}>(default, {expected}); }} else {{ {Message.Name}Code.AssertView({expected}, {actual}); }}"
            : $"{Message.Name}Code.AssertView({expected}, {actual});");

    public override bool HoldsNullIn(ArbitraryType owner) => (!Message.IsStruct || IsNullable) && (ReferenceEquals(Message, owner) || Message.HoldsEveryNull);

    public override void Walk(ProgramText text, string actual) => text.Line($"{Message.Name}Code.Walk({actual}, walker);");

    public override void Fill(ProgramText text, string member)
    {
        if (!Message.HasWriter)
        {
            base.Fill(text, member);
            return;
        }

        var condition = Message.IsStruct && !IsNullable ? "" : $"if (source.{member} is not null) ";
        text.Line($"{condition}{{ {Message.Name}Code.Fill(writer.Write{member}(), source.{member}); }}");
    }

    public override string? Edit(ProgramText methods, string actual) => Message.HasWriter ? $"{Message.Name}Code.Edit({actual}, editor, depth + 1);" : null;
}

/// <summary>A list.</summary>
internal sealed record ListKind(ArbitraryKind Element, string Shape) : ArbitraryKind
{
    public override string Type => Shape == "[]" ? $"{Element.Type}[]?" : $"{Shape}<{Element.Type}>" + (IsStruct ? "" : "?");

    private bool IsStruct => Shape is "ImmutableArray" or "Memory" or "ReadOnlyMemory" or "ArraySegment";

    public override string Make(ProgramText methods)
    {
        var array = $"values.Array<{Element.Type}>(depth, {Element.MakeMethod(methods)})";
        return Shape switch
        {
            "[]" or "IReadOnlyList" or "IReadOnlyCollection" => array,
            "IEnumerable" => $"values.Sequence({array})",
            _ => $"BufferedMessages.Wire.CollectionCopy.ToList<{Shape}<{Element.Type}>, {Element.Type}, BufferedMessages.Wire.ListShape<{Element.Type}>>({array})",
        };
    }

    public override void AssertView(ProgramText text, string expected, string actual)
    {
        var array = Shape switch
        {
            "ImmutableArray" => $"Same.ImmutableArray<{Element.Type}>({expected})",
            "Memory" or "ReadOnlyMemory" => $"Same.MemoryArray<{Element.Type}>({expected}, {IsNull(actual)})",
            "ArraySegment" => $"Same.SegmentArray<{Element.Type}>({expected})",
            _ => $"Same.Array<{Element.Type}>({expected})",
        };
        switch (Element)
        {
            case ValueKind { IsChecked: true } value:
                text.Line($"Same.CheckedValues<{value.Name}>({array}, {actual});");
                break;
            case ValueKind value:
                text.Line($"Same.Values<{value.Name}>({array}, {actual});");
                break;
            case NullableKind { Value: var value }:
                text.Line($"Same.Nullables<{value.Name}>({array}, {actual});");
                break;
            default:
                AssertElements(text, array, actual);
                break;
        }
    }

    public override string AssertDefault(string actual) =>
        Element is ValueKind { IsChecked: false } value ? $"Same.NullSpan<{value.Name}>({actual});" : base.AssertDefault(actual);

    public override void Walk(ProgramText text, string actual)
    {
        switch (Element)
        {
            case ValueKind { IsChecked: true } value:
                text.Line($"walker.CheckedValues<{value.Name}>({actual});");
                break;
            case ValueKind value:
                text.Line($"walker.Values<{value.Name}>({actual});");
                break;
            case NullableKind { Value: var value }:
                text.Line($"walker.Nullables<{value.Name}>({actual});");
                break;
            default:
                var element = text.NewName("element");
                text.Block($"foreach (var {element} in {actual})", () =>
                {
                    text.Line("if (!walker.Step()) { break; }");
                    Element.Walk(text, element);
                });
                break;
        }
    }

    public override string? Edit(ProgramText methods, string actual)
    {
        if (Element is not MessageKind { Message.HasWriter: true })
        {
            return null;
        }

        var (list, index) = (methods.NewName("list"), methods.NewName("i"));
        return $"var {list} = {actual}; for (var {index} = 0; {index} < {list}.Count; {index}++) {{ {Element.Edit(methods, $"{list}[{index}]")} }}";
    }

    // Elements one by one where the writer has a method for it: it has none for those that are null.
    public override void Fill(ProgramText text, string member)
    {
        var (condition, statement) = Element switch
        {
            _ when IsStruct => ("", ""),
            ValueKind { IsChecked: false, MakeExpression: null } => ("", "slots[i] = elements[i];"),
            TextKind => ("", "slots.Write(i, elements[i]);"),
            MessageKind { Message: { HasWriter: true } message } element =>
                (message.IsStruct && !element.IsNullable ? "" : " && !Array.Exists(elements, static element => element is null)", $"{message.Name}Code.Fill(slots[i], elements[i]);"),
            _ => ("", ""),
        };
        if (statement.Length == 0)
        {
            base.Fill(text, member);
            return;
        }

        text.Block($"if (Same.Array<{Element.Type}>(source.{member}) is {{ }} elements{condition})".Replace("elements", member + "Elements", StringComparison.Ordinal), () =>
        {
            text.Line($"var slots = writer.Write{member}({member}Elements.Length);");
            text.Line($"for (var i = 0; i < {member}Elements.Length; i++) {{ {statement.Replace("elements", member + "Elements", StringComparison.Ordinal)} }}");
        });
        text.Block("else", () => base.Fill(text, member));
    }

    public override bool HoldsNullIn(ArbitraryType owner) => Shape is not ("Memory" or "ReadOnlyMemory") && Element.HoldsNullIn(owner);

    // Spans tell it by an extension property, which the language version of the programs does not know.
    private string IsNull(string actual) =>
        Element is ValueKind { IsChecked: false } value ? $"Same.IsNullSpan<{value.Name}>({actual})" : $"{actual}.IsNull";

    private void AssertElements(ProgramText text, string array, string actual)
    {
        var expected = text.NewName("expected");
        var list = text.NewName("list");
        var index = text.NewName("i");
        text.Line($"var {expected} = {array};");
        text.Line($"var {list} = {actual};");
        text.Line($"Same.Counts({expected}, {list}.IsNull, {list}.Count, \"{actual}\");");
        text.Block($"for (var {index} = 0; {index} < {list}.Count; {index}++)", () => Element.AssertView(text, $"{expected}![{index}]", $"{list}[{index}]"));
    }
}
