using System.Globalization;
using BufferedMessages.TestKit;

namespace Toolkit.Benchmarks.Generator;

/// <summary>The source text of message types, as many as wanted.</summary>
internal static class MessageTypes
{
    // Every type holds the one before, alone and in a list, so that the types are neither alike nor alone.
    public static string Source(int number)
    {
        var nested = number == 0 ? "" : string.Create(CultureInfo.InvariantCulture, $$"""
                public M{{number - 1}}? Previous { get; set; }
                public List<M{{number - 1}}> Others { get; set; } = [];
            """);
        return string.Create(CultureInfo.InvariantCulture, $$"""
            using BufferedMessages;
            namespace Shop;
            [BufferedMessageSource]
            public partial class M{{number}}
            {
                public int Id { get; set; }
                public long Number { get; set; }
                public string? Name { get; set; }
                public string Title { get; set; } = "";
                public decimal Price { get; set; }
                public DateTime Created { get; set; }
                public double? Weight { get; set; }
                public Guid Key { get; set; }
                public List<int> Values { get; set; } = [];
                public string[]? Tags { get; set; }
                public string Describe() { return Title; }
            {{nested}}
            }
            """);
    }

    // With one file that has nothing to do with messages.
    public static SourceProject Project(int types) => SourceProject.Of(
        Enumerable.Range(0, types).Select(static number => new SourceFile($"M{number}.cs", "using System;\n" + Source(number)))
            .Append(new SourceFile("Unrelated.cs", "internal static class Unrelated { public static int Value => 1; }")));
}
