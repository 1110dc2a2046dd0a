using BufferedMessages.TestKit;

namespace BufferedMessages.Generator.Tests;

/// <summary>Obsolete or experimental members of a source are so in its view and its writer too. Generated code uses them without a warning.</summary>
public sealed class CautionTests
{
    private const string Order =
        """
        using System.Diagnostics.CodeAnalysis;

        [BufferedMessageSource(GenerateWriter = true)]
        public partial class Order
        {
            public int Id { get; set; }
            [Obsolete("Use Id.", error: true)] public int Number { get; set; }
            [Obsolete("Use Id.", error: true)] public string? Code { get; set; }
            [Experimental("SHOP1")] public int Trial { get; set; }
        }

        [Obsolete("Use Order.", error: true)]
        [BufferedMessageSource(GenerateWriter = true)]
        public partial class Old { public int Id { get; set; } }

        [Experimental("SHOP2")]
        [BufferedMessageSource(GenerateWriter = true)]
        public partial class New { public int Id { get; set; } }

        [Experimental("SHOP3")]
        [BufferedMessageUnion, BufferedCase<Circle>(1)]
        public partial interface IShape;

        #pragma warning disable SHOP3
        [BufferedMessageSource] public partial class Circle : IShape { public int Id { get; set; } }
        #pragma warning restore SHOP3

        """;

    private const string Converter =
        "[Experimental(\"SHOP4\")] public static class UriConverter { public static string ToWire(Uri value) => value.OriginalString; public static Uri FromWire(string value) => new(value); } ";

    [Theory]
    [InlineData("_ = default(OrderBufferedMessage).Number;", "CS0618")]
    [InlineData("default(OrderBufferedMessageWriter).WriteCode(\"a\");", "CS0618")]
    [InlineData("var writer = default(OrderBufferedMessageWriter); writer.Number = 1;", "CS0618")]
    [InlineData("_ = default(OldBufferedMessage).Id;", "CS0618")]
    [InlineData("_ = default(OldBufferedMessageWriter).Id;", "CS0618")]
    [InlineData("_ = default(OrderBufferedMessage).Trial;", "SHOP1")]
    [InlineData("_ = default(NewBufferedMessage).Id;", "SHOP2")]
    [InlineData("_ = default(NewBufferedMessageWriter).Id;", "SHOP2")]
    [InlineData("_ = default(ShapeBufferedMessage).IsNull;", "SHOP3")]
    [InlineData("_ = ShapeCase.Circle;", "SHOP3")]
    public void Code_that_uses_it_is_told(string code, string diagnostic) =>
        Assert.Equal([diagnostic], Problems(code).Distinct(StringComparer.Ordinal));

    [Fact]
    public void Other_code_is_told_nothing() =>
        Assert.Empty(Problems("_ = default(OrderBufferedMessage).Id; _ = new Order().CalculateSize();"));

    [Theory]
    [InlineData("public class Basis { [Obsolete(\"Use B.\", error: true)] public virtual int A { get; set; } } [BufferedMessageSource(GenerateWriter = true)] public partial class Item : Basis { public override int A { get; set; } }")]
    [InlineData("public class Basis { [Obsolete(\"Use B.\", DiagnosticId = \"SHOP4\")] public virtual int A { get; set; } } [BufferedMessageSource(GenerateWriter = true)] public partial class Item : Basis { public override int A { get; set; } }")]
    [InlineData("public class Basis { [Experimental(\"SHOP4\")] public virtual int A { get; set; } } [BufferedMessageSource(GenerateWriter = true)] public partial class Item : Basis { public override int A { get; set; } }")]
    [InlineData("public class Basis { public virtual int A { get; [Obsolete(\"Use B.\", error: true)] set; } } [BufferedMessageSource(GenerateWriter = true)] public partial class Item : Basis { public override int A { get => 1; } }")]
    [InlineData("[BufferedMessageSource] public partial class Item { public int A { get; set; } [BufferedIgnore, Experimental(\"SHOP4\")] public required string Note { get; set; } }")]
    [InlineData(Converter + "[BufferedMessageSource] public partial class Item { [BufferedMessageConverter(typeof(UriConverter))] public Uri? Link { get; set; } }")]
    [InlineData("[assembly: BufferedMessageConverter(typeof(UriConverter))] " + Converter + "[BufferedMessageSource] public partial class Item { public List<Uri>? Links { get; set; } }")]
    [InlineData("[Experimental(\"SHOP4\"), BufferedMessageConverter(typeof(Weight))] public readonly record struct Weight(int Grams) { public static int ToWire(Weight value) => value.Grams; public static Weight FromWire(int value) => new(value); } [BufferedMessageSource] public partial class Item { public Weight Weight { get; set; } }")]
    [InlineData("public static class UriConverter { [Experimental(\"SHOP4\")] public static string ToWire(Uri value) => value.OriginalString; [Obsolete(\"Do not.\", DiagnosticId = \"SHOP4\")] public static Uri FromWire(string value) => new(value); } [BufferedMessageSource] public partial class Item { [BufferedMessageConverter(typeof(UriConverter))] public Uri? Link { get; set; } }")]
    [InlineData("[assembly: BufferedMessageConverter(typeof(NumberConverter))] public static class NumberConverter { public static Shop.Code ToWire(Version value) => default; public static Version FromWire(Shop.Code value) => new(); } [Experimental(\"SHOP4\")] public static class Shop { public enum Code : byte { None } } [BufferedMessageSource] public partial class Item { public Version? Number { get; set; } public List<Version>? Numbers { get; set; } }")]
    [InlineData("[Obsolete(\"Do not.\", error: true), BufferedMessageUnion, BufferedCase<Item>(1)] public partial interface IAny; [Obsolete(\"Do not.\", DiagnosticId = \"SHOP4\")] public abstract class Middle : IAny; [BufferedMessageSource] public partial class Item : Middle { public int A { get; set; } }")]
    public void Generated_code_uses_what_it_overrides_sets_or_calls_without_a_warning(string source) =>
        Assert.Empty(SourceProject.Of("using System.Diagnostics.CodeAnalysis;\n#pragma warning disable CS0672, CS9042, SHOP4\n" + source).Generate().Problems);

    [Fact]
    public void Obsolete_members_are_stored_and_restored()
    {
        var order = SourceProject.Of(Order).Generate().Load().GetType("Order", throwOnError: true)!;
        var source = Activator.CreateInstance(order)!;
        order.GetProperty("Number")!.SetValue(source, 7);
        order.GetProperty("Code")!.SetValue(source, "a code");

        var copy = GeneratedSource.RoundTrip(source);

        Assert.Equal((7, "a code"), (order.GetProperty("Number")!.GetValue(copy), order.GetProperty("Code")!.GetValue(copy)));
    }

    private static IEnumerable<string> Problems(string code) =>
        SourceProject.Of($"{Order} public static class Program {{ public static void Run() {{ {code} }} }}").Generate().Problems.Select(static problem => problem.Id);
}
