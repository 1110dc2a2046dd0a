namespace BufferedMessages.Generator.Tests.Names;

/// <summary>The places in user code where a name can occur. Each yields the declarations of a namespace for a name, which begins with @.</summary>
internal static class NameForm
{
    private const string Source = "[global::BufferedMessages.BufferedMessageSource]";
    private const string SourceWithWriter = "[global::BufferedMessages.BufferedMessageSource(GenerateWriter = true)]";
    private const string Union = "global::BufferedMessages.BufferedMessageUnion";
    private const string List = "global::System.Collections.Generic.List";

    /// <summary>One small source.</summary>
    public const string Small = $$"""{{Source}} public partial class Thing { public int Number { get; set; } }""";

    /// <summary>What the forms with members have in common, in a namespace of its own: code for it is generated once, and not once for each name.</summary>
    public const string Common = $$"""namespace Common { {{LineAndPadded}} }""";

    private const string LineAndPadded = $$"""public struct Padded { public byte Kind; public int Value; } {{SourceWithWriter}} public partial class Line { public string? Sku { get; set; } }""";

    /// <summary>All forms.</summary>
    public static IReadOnlyDictionary<string, Func<string, string>> All { get; } = new Dictionary<string, Func<string, string>>(StringComparer.Ordinal)
    {
        ["a type beside what is generated"] = static name => $"public class @{name}; {LineAndPadded} {Host("", "")} {UnionOf("IKind", "Case1")}",
        ["a class"] = static name => $$"""{{SourceWithWriter}} public partial class @{{name}} { public int Number { get; set; } public {{List}}<@{{name}}>? Next { get; set; } } {{HolderOf(name)}}""",
        ["a struct"] = static name => $$"""{{Source}} public partial struct @{{name}} { public int Number { get; set; } public string? Text { get; init; } } {{HolderOf(name + "?")}}""",
        ["a record"] = static name => $"{Source} public sealed partial record @{name}(int Number, string? Text); {HolderOf(name)}",
        ["a derived source"] = static name => $$"""{{Source}} public partial class Basis { public int Number { get; set; } } {{Source}} public partial class @{{name}} : Basis { public string? Text { get; init; } }""",
        ["a type around a source"] = static name => $$"""public partial class @{{name}} { {{SourceWithWriter}} public partial class Thing { public int Number { get; set; } } {{UnionOf("IKind", "Case1")}} }""",
        ["a class that is a union"] = static name => $$"""[{{Union}}, global::BufferedMessages.BufferedCase<Case1>(1)] public abstract partial class @{{name}}; {{Source}} public partial class Case1 : @{{name}} { public int Number { get; set; } } {{HolderOf(name)}}""",
        ["an interface that is a union"] = static name => $"{UnionOf(name, "Case1")} {HolderOf(name)}",
        ["an interface with an I that is a union"] = static name => $"{UnionOf("I" + name, "Case1")} {HolderOf("I" + name)}",
        ["a case"] = static name => $"{UnionOf("IKind1", name)} {HolderOf("IKind1")}",
        ["the name of a case"] = static name => UnionOf("IKind", "Case1").Replace("(1)", $"(1, Name = \"{name}\")", StringComparison.Ordinal),
        ["the name of a view"] = static name => $$"""[global::BufferedMessages.BufferedMessageSource(ViewName = "{{name}}", GenerateWriter = true)] public partial class Thing { public int Number { get; set; } public (int, string?) Pair { get; set; } }""",
        ["the name of a union's view"] = static name => UnionOf("IKind", "Case1").Replace(Union, $"{Union}(ViewName = \"{name}\")", StringComparison.Ordinal),
        ["the name of a union's enum"] = static name => UnionOf("IKind", "Case1").Replace(Union, $"{Union}(CaseName = \"{name}\")", StringComparison.Ordinal),
        ["a number"] = static name => Host($"public int @{name} {{ get; set; }}"),
        ["a text that an initializer sets"] = static name => Host($"public string? @{name} {{ get; init; }} = \"text\";"),
        ["a tuple"] = static name => Host($"public (int First, string? Second) @{name} {{ get; set; }}"),
        ["a struct with padding"] = static name => Host($"public global::Common.Padded @{name} {{ get; set; }}"),
        ["a list"] = static name => Host($"public {List}<global::Common.Line>? @{name} {{ get; set; }}"),
        ["a parameter of a constructor"] = static name => $$"""{{SourceWithWriter}} public partial class Thing(int @{{name}}, string? second) { public int @{{name}} { get; } = @{{name}}; public string? Second { get; } = second; }""",
        ["a member of a base"] = static name => $$"""public class Basis { public string? @{{name}} { get; set; } } {{SourceWithWriter}} public partial class Thing : Basis { public int Number { get; set; } }""",
        ["a member of two sources' base"] = static name => $$"""public class Basis { public int @{{name}} { get; set; } } {{Source}} public partial class Thing : Basis { public int Number { get; set; } } {{Source}} public partial class Other : Basis { public int Number { get; set; } }""",
        ["a member of a base that is a source"] = static name => $$"""{{Source}} public partial class Basis { public int Age1 { get; set; } public int @{{name}} { get; set; } } {{Source}} public partial class Thing : Basis { public int Number { get; set; } }""",
        ["a member that hides one of a base"] = static name => $$"""public class Basis { public int @{{name}} { get; set; } } {{Source}} public partial class Thing : Basis { public int Number { get; set; } public new string? @{{name}} { get; set; } }""",
        ["a member of a union's case"] = static name => $$"""[{{Union}}, global::BufferedMessages.BufferedCase<Case1>(1)] public abstract partial class Kind { public int @{{name}} { get; set; } } {{Source}} public partial class Case1 : Kind { public int Number { get; set; } }""",
        ["a method"] = static name => Host($"public void @{name}() {{ }}"),
        ["a method of a base"] = static name => $$"""public class Basis { public static int @{{name}}(string text) => text.Length; } {{Source}} public partial class Thing : Basis { public int Number { get; set; } }""",
        ["a private field"] = static name => Host($"private int @{name} = 1; public int Sum1() => @{name};"),
        ["a nested type"] = static name => Host($"public class @{name};"),
        ["an item of a tuple"] = static name => $$"""{{Source}} public partial class Thing { public (int @{{name}}, string? Other1) Pair { get; set; } public {{List}}<((int Other2, int @{{name}}) Inner1, int Other3)>? Pairs { get; set; } }""",
        ["a tuple in a tuple"] = static name => $$"""{{Source}} public partial class Thing { public ((int First, int Second) @{{name}}, string? Other1) Pair { get; set; } }""",
    };

    private static string HolderOf(string type) =>
        $$"""{{SourceWithWriter}} public partial class Holder { public int Id { get; set; } public @{{type}} One { get; set; } = default!; public {{List}}<@{{type}}>? Many { get; set; } public (int Key1, @{{type}} Value1) Pair { get; set; } }""";

    private static string UnionOf(string union, string type) =>
        $$"""[{{Union}}, global::BufferedMessages.BufferedCase<@{{type}}>(1)] public partial interface @{{union}}; {{Source}} public partial class @{{type}} : @{{union}} { public int Number { get; set; } }""";

    private static string Host(string member, string common = "global::Common.") =>
        $$"""
        {{SourceWithWriter}} public partial class Thing
        {
            public int Id { get; set; }
            public string? Note { get; init; } = "note";
            public (int Count, string? Text) Pair { get; set; }
            public {{List}}<(int, int)>? Steps { get; set; }
            public {{common}}Padded Box { get; set; }
            public {{common}}Line? Main { get; set; }
            {{member}}
        }
        """;
}
