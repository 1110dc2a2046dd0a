using System.Collections.Immutable;
using System.Reflection;
using BufferedMessages.TestKit;

namespace BufferedMessages.Generator.Tests;

/// <summary><c>ToX()</c> restores members, and keeps or replaces nulls.</summary>
public sealed class CopyTests
{
    [Fact]
    public void An_initializer_stays_where_the_message_has_null_and_the_member_is_never_null()
    {
        var job = Create("Shop.Job", nameof(Features.InitAndRequired), ("Name", "a"), ("Queue", null), ("Steps", null), ("Children", null));

        var copy = GeneratedSource.RoundTrip(job);

        Assert.Equal("default", Get(copy, "Queue"));
        Assert.Equal(new List<int> { 1 }, Get(copy, "Steps"));
        Assert.Empty((Array)Get(copy, "Children")!);
        Assert.Equal("a", Get(copy, "Name"));
    }

    [Theory]
    [InlineData("public partial class Order { public int Id { get; set; } public required string Note { get; set; } = \"none\"; }", "new() { Id = 7, Note = null! }")]
    [InlineData("public partial record Order(int Id, string Note = \"none\");", "new(7, null!)")]
    public void A_member_that_the_copy_always_sets_is_null_where_the_message_has_null(string source, string value) => Assert.Equal("7 null", CopyOf(source, value));

    [Theory]
    [InlineData("public partial record struct Order(int Id) { public string Note { get; set; } = \"none\"; }")]
    [InlineData("public partial struct Order { public int Id; public string Note = \"none\"; public Order(int id) => Id = id; }")]
    [InlineData("public partial struct Order(int id) { public int Id { get; set; } = id; [BufferedIgnore] public string Note = \"none\"; }")]
    [InlineData("public partial struct Order { public int Id; public string Note { get => Changed is null ? \"lost\" : \"none\"; set { } } public event Action Changed = delegate { }; public Order(int id) => Id = id; }")]
    public void An_initializer_of_a_struct_that_has_a_constructor_stays_too(string source) => Assert.Equal("7 none", CopyOf(source, "new(7) { Note = null! }"));

    [Fact]
    public void Values_replace_initializers()
    {
        var job = Create("Shop.Job", nameof(Features.InitAndRequired), ("Name", "a"), ("Queue", "slow"), ("Steps", new List<int> { 3, 4 }));

        var copy = GeneratedSource.RoundTrip(job);

        Assert.Equal("slow", Get(copy, "Queue"));
        Assert.Equal(new List<int> { 3, 4 }, Get(copy, "Steps"));
    }

    [Fact]
    public void A_positional_record_equals_its_copy()
    {
        var type = Load(nameof(Features.RecordStruct)).GetType("Shop.Money", throwOnError: true)!;
        var money = Activator.CreateInstance(type, 12.5m, "EUR")!;

        Assert.Equal(money, GeneratedSource.RoundTrip(money));
    }

    [Fact]
    public void Constructor_parameters_set_get_only_members()
    {
        var type = Load(nameof(Features.GetOnlyMembers)).GetType("Shop.Range", throwOnError: true)!;
        var copy = GeneratedSource.RoundTrip(Activator.CreateInstance(type, 3, 4)!);

        Assert.Equal(7, Get(copy, "End"));
    }

    [Fact]
    public void Private_setters_and_constructors_are_used()
    {
        var type = Load(nameof(Features.PrivateSettersAndConstructor)).GetType("Shop.Account", throwOnError: true)!;
        var copy = GeneratedSource.RoundTrip(type.GetMethod("Open")!.Invoke(null, [7, "Ann"])!);

        Assert.Equal((7, "Ann"), (Get(copy, "Number"), Get(copy, "Owner")));
    }

    [Theory]
    [InlineData("public partial class Order { public int Id { get; set; } [BufferedIgnore] public required string Note { get; set; } }", "")]
    [InlineData("public partial class Order { public int Id { get; init; } [BufferedIgnore] public required string Note; public required int Count { get; init; } }", "Count = 1")]
    [InlineData("public partial class Order { public int Id { get; set; } public string Name { get; init; } = \"a\"; [BufferedIgnore] public required string Note { get; init; } }", "")]
    [InlineData("public partial class Order : Basis { public int Id { get; set; } } public class Basis { [BufferedIgnore] public required string Note { get; init; } }", "")]
    [InlineData("public partial record Order { public required int Id { get; init; } [BufferedIgnore] public required string Note { get; init; } [BufferedIgnore] public required int @class { get; init; } }", "@class = 1")]
    [InlineData("public partial record struct Order { public int Id { get; set; } [BufferedIgnore] public required string Note { get; set; } }", "")]
    [InlineData("internal partial class Order { public int Id { get; set; } internal required string Note { get; set; } }", "")]
    public void A_required_member_that_is_not_stored_has_its_default_value(string source, string others) =>
        Assert.Equal("7 null", CopyOf(source, $"new() {{ Id = 7, Note = \"b\", {others} }}"));

    [Fact]
    public void A_required_member_that_is_excluded_by_name_has_its_default_value() =>
        Assert.Equal(
            "7 null",
            CopyOf("public partial record Order(int Id) { public required string Note { get; init; } }", "new(7) { Note = \"b\" }", excluded: "(\"Note\")"));

    [Fact]
    public void A_constructor_that_sets_required_members_keeps_their_values() =>
        Assert.Equal(
            "7 set",
            CopyOf(
                "public partial class Order { [System.Diagnostics.CodeAnalysis.SetsRequiredMembers] public Order() => Note = \"set\"; public int Id { get; set; } [BufferedIgnore] public required string Note { get; set; } }",
                "new() { Id = 7, Note = \"b\" }"));

    [Fact]
    public void A_constructor_parameter_restores_a_tuple_whose_items_have_other_names() =>
        Assert.Equal(
            "7 b",
            CopyOf(
                "public partial class Order((int, string?) pair) { public (int Id, string? Note) Pair { get; } = pair; [BufferedIgnore] public int Id => Pair.Id; [BufferedIgnore] public string? Note => Pair.Note; }",
                "new((7, \"b\"))"));

    [Fact]
    public void A_source_without_a_fitting_constructor_has_no_method_to_copy()
    {
        var assembly = Load(nameof(Features.NoConstructor));
        var closed = Activator.CreateInstance(assembly.GetType("Shop.Closed", throwOnError: true)!, 5)!;

        Assert.Null(assembly.GetType("Shop.ClosedBufferedMessage", throwOnError: true)!.GetMethod("ToClosed"));
        Assert.Throws<NotSupportedException>(() => GeneratedSource.RoundTrip(closed));
    }

    [Theory]
    [InlineData("MaybeImmutableArray")]
    [InlineData("MaybeMemory")]
    [InlineData("Array")]
    [InlineData("IEnumerable")]
    [InlineData("Strings")]
    public void Null_collections_stay_null(string member) =>
        Assert.Null(Get(GeneratedSource.RoundTrip(Create("Shop.Lists", nameof(Features.Lists))), member));

    [Fact]
    public void Empty_collections_stay_empty()
    {
        var copy = GeneratedSource.RoundTrip(Create(
            "Shop.Lists",
            nameof(Features.Lists),
            ("Array", Array.Empty<int>()),
            ("MaybeImmutableArray", ImmutableArray<short>.Empty),
            ("MaybeMemory", Memory<int>.Empty)));

        Assert.Empty((int[])Get(copy, "Array")!);
        Assert.Empty((ImmutableArray<short>)Get(copy, "MaybeImmutableArray")!);
        Assert.True(((Memory<int>)Get(copy, "MaybeMemory")!).IsEmpty);
    }

    [Fact]
    public void Padding_of_structs_is_zero_in_the_message()
    {
        var shapes = Create("Shop.Shapes", nameof(Features.Structs));
        var padded = GarbagePadded(shapes.GetType().Assembly.GetType("Shop.Padded", throwOnError: true)!);
        var clean = GeneratedSource.Write(shapes);
        foreach (var member in new[] { "Padded", "MaybePadded", "PaddedList", "MaybePaddedList", "PaddedLists" })
        {
            Set(shapes, member, null);
        }

        Set(shapes, "Padded", padded);

        Assert.Equal(clean, GeneratedSource.Write(shapes));
    }

    /// <summary>Gets the members <c>Id</c> and <c>Note</c> of the copy of an order. The project compiles without a warning.</summary>
    private static string CopyOf(string source, string creation, string excluded = "")
    {
        var project = SourceProject.Of(
            $$"""
            [BufferedMessageSource{{excluded}}] {{source}}

            public static class Probe
            {
                public static string Run()
                {
                    Order order = {{creation}};
                    var copy = new OrderBufferedMessage(order.ToMessageArray()).ToOrder();
                    return $"{copy.Id} {copy.Note ?? "null"}";
                }
            }
            """).Generate();

        Assert.Empty(project.Problems);
        return project.Load().GetType("Probe", throwOnError: true)!.GetMethod("Run")!.CreateDelegate<Func<string>>()();
    }

    // A value with zero fields and non-zero padding.
    private static object GarbagePadded(Type type) =>
        typeof(CopyTests).GetMethod(nameof(GarbageCore), BindingFlags.NonPublic | BindingFlags.Static)!.MakeGenericMethod(type).Invoke(null, null)!;

    private static object GarbageCore<T>()
        where T : unmanaged
    {
        var value = default(T);
        var bytes = System.Runtime.InteropServices.MemoryMarshal.AsBytes(new Span<T>(ref value));
        bytes[1..4].Fill(0xFF);
        bytes[10..12].Fill(0xFF);
        return value;
    }

    private static Assembly Load(string feature) => Features.Project(feature).Generate().Load();

    private static object Create(string type, string feature, params (string Member, object? Value)[] members)
    {
        var source = Activator.CreateInstance(Load(feature).GetType(type, throwOnError: true)!)!;
        foreach (var (member, value) in members)
        {
            Set(source, member, value);
        }

        return source;
    }

    private static void Set(object source, string member, object? value) => source.GetType().GetProperty(member)!.SetValue(source, value);

    private static object? Get(object source, string member) => source.GetType().GetProperty(member)!.GetValue(source);
}
