using BufferedMessages.TestKit;

namespace BufferedMessages.Generator.Tests;

/// <summary>The examples of docs/getting-started.md are code that compiles.</summary>
public sealed class GettingStartedTests
{
    private const string Message = "Put the attribute";
    private const string Union = "is a union";
    private const string UnionView = "which case it is";
    private const string Alone = "## On its own";
    private const string Writer = "## Without an object";
    private const string Queue = "## In a queue";

    private static readonly string Page = File.ReadAllText(Path.Combine(DiagnosticDocumentationTests.Root, "docs", "getting-started.md"));

    // The declarations that the examples assume.
    private static readonly string Surroundings =
        $$"""
        using System.Linq;
        using System.Threading;
        using System.Threading.Tasks;
        [BufferedMessageSource(GenerateWriter = true)]
        public partial class OrderLine { public string? Sku { get; set; } }
        {{Example(Message).Replace("[BufferedMessageSource]", "[BufferedMessageSource(GenerateWriter = true)]", StringComparison.Ordinal)}}
        {{Example(Union)}}
        public static class Shop
        {
            public static string Done { get; private set; } = "";
            private static void Charge(BufferedString card) => Done = $"charged {card}";
            private static void Await(BufferedString iban) => Done = $"awaits {iban}";
            private static void Ship(int id) => Done = $"shipped {id}";

        """;

    [Fact]
    public void The_example_of_a_union_finds_the_case()
    {
        var shop = Compile($"public static void Pay() {{ {Example(UnionView)} }}").Load().GetType("Shop", throwOnError: true)!;

        shop.GetMethod("Pay")!.Invoke(null, null);

        Assert.Equal("awaits DE02120300000000202051", shop.GetProperty("Done")!.GetValue(null));
    }

    [Fact]
    public void The_example_of_a_message_on_its_own_compiles() =>
        Compile($"private static async Task Run(Order order) {{ {Example(Alone)} }}");

    [Fact]
    public void The_example_of_a_writer_compiles()
    {
        // Its types are already declared in the surroundings.
        var example = Example(Writer);
        var statements = example[example.IndexOf("using var", StringComparison.Ordinal)..];
        Compile($"private static void Run(MessageQueue queue) {{ {statements} }}");
    }

    [Fact]
    public void The_example_of_a_queue_compiles() =>
        Compile($"private static void Run(Order order, CancellationToken cancellationToken) {{ {Example(Queue)} }}");

    private static GeneratedProject Compile(string method)
    {
        var project = SourceProject.Of(Surroundings + method + "}").Generate();
        Assert.Empty(project.Problems);
        return project;
    }

    // The first block of code after these words.
    private static string Example(string words) =>
        Page[Page.IndexOf(words, StringComparison.Ordinal)..].Split("```csharp\n")[1].Split("```")[0].Replace("{ ... }", "{ }", StringComparison.Ordinal);
}
