using BufferedMessages.TestKit;

namespace BufferedMessages.Generator.Tests;

/// <summary>Each mistake with a converter is reported where it is used, with the reason and the remedy.</summary>
public sealed class ConverterAnalyzerTests
{
    private const string Link = " public sealed record Link(string Text);";
    private const string Converter = " static class C { internal static string ToWire(Link value) => value.Text; internal static Link FromWire(string value) => new(value); }";
    private const string Other = " static class D { internal static int ToWire(Link value) => 0; internal static Link FromWire(int value) => new(\"\"); }";
    private const string Hidden = " internal enum Level : byte { Low } static class C { internal static Level ToWire(Link value) => 0; internal static Link FromWire(Level value) => new(\"\"); }";
    private const string Order = " [BufferedMessageSource] public partial class Order { public int Id; [BufferedMessageConverter(typeof(C))] public Link? [|Site|]; }" + Link;
    private const string Cannot = "'Order.Site' of type 'Link?' cannot be converted: ";

    public static TheoryData<string, string, string> Broken => new()
    {
        {
            "BMSG0020", "[BufferedMessageSource] public partial class Order { public int Id; public SortedSet<Link>? [|Sites|]; } [BufferedMessageConverter(typeof(C))]" + Link + Converter,
            "'Order.Sites' of type 'SortedSet<Link>?' cannot be stored: a copy could not sort it, since 'Link' has no order and a comparer is not stored; implement IComparable<T>, or use a collection that is not sorted, or exclude the member with [BufferedIgnore]"
        },
        {
            "BMSG0020", "[BufferedMessageSource] public partial class Order { public int Id; public SortedSet<Link>? [|Sites|]; } [BufferedMessageConverter(typeof(C))] public sealed record Link(string Text) : IComparable<string> { public int CompareTo(string? other) => 0; }" + Converter,
            "'Order.Sites' of type 'SortedSet<Link>?' cannot be stored: a copy could not sort it, since 'Link' has no order and a comparer is not stored; implement IComparable<T>, or use a collection that is not sorted, or exclude the member with [BufferedIgnore]"
        },
        {
            "BMSG0032", Order + " static class C;",
            Cannot + "'C' has no method 'static TWire ToWire(T value)' that is at least internal; add it, with the type of the member as T and a value, a string or bytes as TWire"
        },
        {
            "BMSG0032", Order + " static class C { static string ToWire(Link value) => \"\"; internal static Link FromWire(string value) => new(value); }",
            Cannot + "'C' has no method 'static TWire ToWire(T value)' that is at least internal; add it, with the type of the member as T and a value, a string or bytes as TWire"
        },
        {
            "BMSG0032", Order + " static class C { internal static string ToWire(Link value) => \"\"; }",
            Cannot + "'C' has no method 'static Link FromWire(string value)' that is at least internal; add it"
        },
        {
            "BMSG0032", Order + " static class C { internal static string ToWire(Link value) => \"\"; internal static string ToWire(Uri value) => \"\"; internal static Link FromWire(string value) => new(value); }",
            Cannot + "'C' has several methods 'ToWire'; keep one, and write a converter for each type"
        },
        {
            "BMSG0032", Order + " static class C { internal static int? ToWire(Link value) => 1; internal static Link FromWire(int? value) => new(\"\"); }",
            Cannot + "'C' has a 'T?' in its methods, but a null is stored without the converter; remove the question mark"
        },
        {
            "BMSG0032", Order + " static class C { internal static List<int> ToWire(Link value) => []; internal static Link FromWire(List<int> value) => new(\"\"); }",
            Cannot + "the wire type 'List<int>' of 'C' is neither a value, a string nor bytes; return one of these"
        },
        {
            "BMSG0032", Order + " static class C { internal static Order ToWire(Link value) => new(); internal static Link FromWire(Order value) => new(\"\"); }",
            Cannot + "the wire type 'Order' of 'C' is neither a value, a string nor bytes; return one of these"
        },
        {
            "BMSG0032", Order + Other.Replace("Link", "Tag", StringComparison.Ordinal) + " [BufferedMessageConverter(typeof(D))] public sealed record Tag(string Text); static class C { internal static Tag ToWire(Link value) => new(\"\"); internal static Link FromWire(Tag value) => new(\"\"); }",
            Cannot + "the wire type 'Tag' of 'C' has a converter itself; return the type that is stored in the end"
        },
        {
            "BMSG0032", Order + Hidden,
            Cannot + "the wire type 'Level' of 'C' is less accessible than 'Order', whose generated code names it; make it public"
        },
        {
            "BMSG0032", Order.Replace("Link? [|", "string? [|", StringComparison.Ordinal) + Converter,
            "'Order.Site' of type 'string?' cannot be converted: 'C' converts 'Link', which is not in the type 'string?'; name a converter that fits, or remove it"
        },
        {
            "BMSG0032", Order.Replace("typeof(C))", "typeof(C)), BufferedMessageConverter(typeof(D))", StringComparison.Ordinal) + Converter + Other,
            Cannot + "'C' and 'D' both convert 'Link' for the member; remove one of the two"
        },
        {
            "BMSG0032", "[BufferedMessageSource] public partial class Order { public int Id; public List<Link>? [|Sites|]; } [BufferedMessageConverter(typeof(C)), BufferedMessageConverter(typeof(D))]" + Link + Converter + Other,
            "'Order.Sites' of type 'List<Link>?' cannot be converted: 'C' and 'D' both convert 'Link' for the type; remove one of the two"
        },
        {
            "BMSG0032", "[BufferedMessageSource] public partial class Order { public int Id; public Tag? [|Tag|]; } [BufferedMessageConverter(typeof(C))] public sealed record Tag(string Text);" + Link + Converter,
            "'Order.Tag' of type 'Tag?' cannot be converted: 'C' converts 'Link', but the attribute is on 'Tag'; name a converter that fits"
        },
        {
            "BMSG0032", Order.Replace("Link? [|", "Link [|", StringComparison.Ordinal).Replace("typeof(C)", "typeof(C<>)", StringComparison.Ordinal) + " static class C<T>;",
            "'Order.Site' of type 'Link' cannot be converted: 'C' is generic; name it with its type arguments"
        },
        {
            "BMSG0032", Order + "file" + Converter,
            Cannot + "'C' is not accessible to generated code; make it at least internal"
        },
        {
            "BMSG0028", "[BufferedMessageSource] public partial class Order { public int Id; [BufferedMessageConverter(typeof(C))] public HashSet<Link>? [|Sites|]; } static class C { internal static double ToWire(Link value) => 0; internal static Link FromWire(double value) => new(\"\"); }" + Link,
            "'Order.Sites' of type 'HashSet<Link>?' cannot be stored, because 'Link' cannot be the key of a dictionary or the element of a set; use a string, bool, char, integer, enum, Guid, DateOnly or TimeSpan, or exclude the member with [BufferedIgnore]"
        },
        {
            "BMSG0033", "[assembly: [|BufferedMessageConverter(typeof(C))|]] static class C;",
            "The converter 'C' of the assembly cannot be used: 'C' has no method 'static TWire ToWire(T value)' that is at least internal; add it, with the type of the member as T and a value, a string or bytes as TWire"
        },
        {
            "BMSG0033", "[assembly: [|BufferedMessageConverter(typeof(C))|]] static class C { internal static object ToWire(Uri value) => value; internal static Uri FromWire(object value) => (Uri)value; }",
            "The converter 'C' of the assembly cannot be used: the wire type 'object' of 'C' is neither a value, a string nor bytes; return one of these"
        },
    };

    [Theory]
    [MemberData(nameof(Broken))]
    public Task A_converter_that_does_not_fit_is_reported_where_it_is_used(string rule, string markedSource, string message) => AnalyzerTests.RequireOne(rule, markedSource, message);

    [Fact]
    public async Task Two_converters_of_the_assembly_for_a_type_are_both_reported()
    {
        var problems = await AnalyzerTests.Analyze(SourceProject.Of("[assembly: BufferedMessageConverter(typeof(C)), BufferedMessageConverter(typeof(D))]" + Link + Converter + Other));

        Assert.Equal(["BMSG0033", "BMSG0033"], problems.Select(static problem => problem.Id));
        Assert.All(problems, static problem => Assert.Contains("'C' and 'D' both convert 'Link' for the assembly; remove one of the two", problem.GetMessage(), StringComparison.Ordinal));
    }

    [Fact]
    public void The_converter_of_the_member_wins_over_the_assembly_and_that_over_the_type()
    {
        const string Type = " [BufferedMessageConverter(typeof(OfType))] public readonly record struct Tag(int Value);";
        const string Member = " [BufferedMessageSource] public partial class Order { public Tag A; [BufferedMessageConverter(typeof(OfMember))] public Tag B; }";
        var classes = string.Concat(new[] { ("OfType", "long"), ("OfAssembly", "int"), ("OfMember", "short") }.Select(static found =>
            $" static class {found.Item1} {{ internal static {found.Item2} ToWire(Tag value) => 0; internal static Tag FromWire({found.Item2} value) => default; }}"));

        Assert.Equal(["0 i32 A", "1 i16 B"], LinesOf("[assembly: BufferedMessageConverter(typeof(OfAssembly))]" + Type + Member + classes));
        Assert.Equal(["0 i64 A", "1 i16 B"], LinesOf(Type + Member + classes));
    }

    [Fact]
    public async Task The_wire_type_may_be_as_hidden_as_the_source()
    {
        var project = SourceProject.Of(
            "[BufferedMessageSource(GenerateWriter = true)] internal partial class Order { [BufferedMessageConverter(typeof(C))] public Link? Site; [BufferedMessageConverter(typeof(C))] public List<Link>? Sites; }" + Link + Hidden);

        Assert.Empty(await AnalyzerTests.Analyze(project));
        Assert.Empty(project.Generate().Problems);
    }

    [Fact]
    public async Task A_converter_of_a_tuple_converts_it_whatever_the_names_of_its_items_are()
    {
        var project = SourceProject.Of(
            "[BufferedMessageSource] public partial class Order { [BufferedMessageConverter(typeof(C))] public (int X, int Y) A; [BufferedMessageConverter(typeof(C))] public List<(int Left, int Right)?>? B; } " +
            "static class C { internal static long ToWire((int, int) value) => value.Item1; internal static (int X, int Y) FromWire(long value) => ((int)value, 0); }");

        Assert.Empty(await AnalyzerTests.Analyze(project));
        Assert.Empty(project.Generate().Problems);
        Assert.Equal(["0 i64 A", "1 list(i64?) B"], BufferedMessages.Generator.Layout.SchemaText.LinesOf(Parsed.Messages(project.Compilation).Single()));
    }

    [Fact]
    public async Task A_converter_of_a_collection_converts_it_where_it_is_nullable_too()
    {
        var project = SourceProject.Of(
            "[assembly: BufferedMessageConverter(typeof(OfAssembly))] " +
            "[BufferedMessageSource] public partial class Order { public ImmutableArray<int> A; public ImmutableArray<int>? B; [BufferedMessageConverter(typeof(OfMember))] public List<Memory<byte>?>? C; public ImmutableArray<byte>? D; } " +
            "static class OfAssembly { internal static long ToWire(ImmutableArray<int> value) => value.Length; internal static ImmutableArray<int> FromWire(long value) => []; } " +
            "static class OfMember { internal static string ToWire(Memory<byte> value) => \"\"; internal static Memory<byte> FromWire(string value) => default; }");

        Assert.Empty(await AnalyzerTests.Analyze(project));
        Assert.Empty(project.Generate().Problems);
        Assert.Equal(["0 i64 A", "1 i64? B", "2 list(string) C", "3 binary D"], BufferedMessages.Generator.Layout.SchemaText.LinesOf(Parsed.Messages(project.Compilation).Single()));
    }

    private static IEnumerable<string> LinesOf(string source) =>
        BufferedMessages.Generator.Layout.SchemaText.LinesOf(Parsed.Messages(SourceProject.Of(source).Compilation).Single());
}
