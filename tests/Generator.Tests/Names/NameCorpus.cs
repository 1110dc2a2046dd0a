using System.Collections.Immutable;
using System.Reflection;
using BufferedMessages.Generator.Model;
using BufferedMessages.Generator.Parsing;
using BufferedMessages.TestKit;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace BufferedMessages.Generator.Tests.Names;

/// <summary>
/// The names in generated code that user code may have too: every identifier, the rest of it without a part that the generator adds to a user's name, and the
/// members of <see cref="object"/>.
/// </summary>
internal static class NameCorpus
{
    private const string Marker = "§";

    /// <summary>A source for every path of the generator, without the surrounding code.</summary>
    public const string Everything =
        """
        public struct Padded { public byte Kind; public int Value; }

        [global::BufferedMessages.BufferedMessageConverter(typeof(AmountConverter))]
        public readonly record struct Amount(long Cents);

        public static class AmountConverter
        {
            public static long ToWire(Amount value) => value.Cents;
            public static Amount FromWire(long value) => new(value);
        }

        public sealed record Target(string? Text);

        public static class LinkConverter
        {
            public static string ToWire(Target value) => value.Text ?? "";
            public static Target FromWire(string value) => new(value);
        }

        public readonly record struct Number(int Value);

        public static class LargeConverter
        {
            public static byte[] ToWire(Number value) => [(byte)value.Value];
            public static Number FromWire(byte[] value) => new(value[0]);
            public static Number FromWire(global::System.ReadOnlySpan<byte> value) => new(value[0]);
        }

        [global::BufferedMessages.BufferedMessageSource(GenerateWriter = true)]
        [global::BufferedMessages.BufferedReserved(1, typeof((int, int)))]
        public partial class Line { public string? Sku { get; set; } }

        [global::BufferedMessages.BufferedMessageSource]
        public partial class String { public (int, int) To { get; set; } }

        [global::BufferedMessages.BufferedMessageSource]
        public partial class Closed { public Closed(string unknown) => Number = unknown.Length; public int Number { get; set; } }

        [global::BufferedMessages.BufferedMessageUnion, global::BufferedMessages.BufferedCase<Circle>(1), global::BufferedMessages.BufferedCase<Square>(2)]
        public partial interface IShape;

        [global::BufferedMessages.BufferedMessageSource]
        public sealed partial record Circle(double Radius) : IShape;

        [global::BufferedMessages.BufferedMessageSource]
        public partial class Square : IShape { public double Side { get; set; } public double Left { get; set; } public double Top { get; set; } public double Turn { get; set; } }

        [global::BufferedMessages.BufferedMessageUnion, global::BufferedMessages.BufferedCase<Dog>(1)]
        public abstract partial class Animal { public string? Name { get; set; } }

        [global::BufferedMessages.BufferedMessageSource]
        public sealed partial class Dog : Animal { public int Age { get; set; } }

        [global::BufferedMessages.BufferedMessageSource]
        public readonly partial struct Span2(int first, int last) { public int First { get; } = first; public readonly int Last = last; }

        [global::BufferedMessages.BufferedMessageSource]
        public sealed partial class Rules { public required string Title { get; init; } public string Queue { get; init; } = "default"; public Line[] Lines { get; init; } = []; }

        [global::BufferedMessages.BufferedMessageSource(GenerateWriter = true)]
        public partial class Order
        {
            public int Id { get; set; }
            public decimal? Discount { get; set; }
            public string? Note { get; set; }
            public byte[]? Photo { get; set; }
            public Line? Main { get; set; }
            public Span2 Range { get; set; }
            public Span2? Other { get; set; }
            public IShape? Shape { get; set; }
            public Padded Box { get; set; }
            public Padded? Maybe { get; set; }
            public (int Count, string? Text) Pair { get; set; }
            public global::System.Collections.Generic.List<(int X, (Line Y, int Z) Inner)>? Pairs { get; set; }
            public global::System.Collections.Generic.KeyValuePair<string, int> Entry { get; set; }
            public global::System.Collections.Generic.List<Line> Lines { get; set; } = [];
            public global::System.Collections.Generic.List<string>? Tags { get; set; }
            public global::System.Collections.Generic.Queue<int>? Scores { get; set; }
            public (int, (int, int), int, int, (int, int)) Bare { get; set; }
            public global::System.ArraySegment<int>? Segment { get; set; }
            public global::System.Collections.Immutable.ImmutableArray<int>? Fixed { get; set; }
            public global::System.Memory<int>? Memory { get; set; }
            public global::System.ReadOnlyMemory<int>? ReadOnly { get; set; }
            public global::System.Collections.Generic.List<Padded[]>? BoxGrid { get; set; }
            public global::System.Collections.Generic.List<Padded?[]>? GappedGrid { get; set; }
            public global::System.Collections.Generic.List<int?[]>? GapGrid { get; set; }
            public global::System.Collections.Generic.List<int?>? Gaps { get; set; }
            public bool[]? Flags { get; set; }
            public global::System.Collections.Generic.List<Padded>? Boxes { get; set; }
            public global::System.Collections.Generic.List<Padded?>? Gapped { get; set; }
            public global::System.Collections.Generic.List<int[]>? Grid { get; set; }
            public global::System.Collections.Generic.List<IShape?>? Shapes { get; set; }
            public global::System.Collections.Generic.List<byte[]>? Blobs { get; set; }
            public global::System.Collections.Generic.Dictionary<string, int>? Totals { get; set; }
            public global::System.Collections.Generic.SortedDictionary<int, Line>? ById { get; set; }
            public global::System.Collections.Generic.HashSet<string>? Names { get; set; }
            public global::System.Collections.Generic.SortedSet<int>? Ids { get; set; }
            public global::System.Collections.Generic.List<global::System.Collections.Generic.Dictionary<int, string>>? Maps { get; set; }
            public global::System.Collections.Generic.List<global::System.Collections.Generic.HashSet<int>>? Sets { get; set; }
            public Amount Price { get; set; }
            public Amount? Reduced { get; set; }
            public Amount[]? Prices { get; set; }
            public global::System.Collections.Generic.Dictionary<Amount, Amount?>? Reductions { get; set; }
            [global::BufferedMessages.BufferedMessageConverter(typeof(LinkConverter))]
            public Target? Link { get; set; }
            [global::BufferedMessages.BufferedMessageConverter(typeof(LinkConverter))]
            public global::System.Collections.Generic.List<Target>? Links { get; set; }
            [global::BufferedMessages.BufferedMessageConverter(typeof(LargeConverter))]
            public Number Large { get; set; }
        }
        """;

    /// <summary>The prefixes and suffixes that the generator adds to a name.</summary>
    public static ImmutableArray<(string Before, string After)> Affixes { get; } = [.. typeof(GeneratedNames)
        .GetMethods(BindingFlags.Public | BindingFlags.Static)
        .Where(static method => method.ReturnType == typeof(string) && method.GetParameters().All(static parameter => parameter.ParameterType == typeof(string)))
        .SelectMany(static method => new[] { TupleTypes.Tuple, TupleTypes.KeyValuePair }, static (method, kind) => (string)method.Invoke(null, [Marker, .. method.GetParameters().Skip(1).Select(_ => kind)])!)
        .Append("I" + Marker)
        .Distinct()
        .Select(static name => (name.Split(Marker)[0], name.Split(Marker)[1]))];

    /// <summary>The names in the code for <see cref="Everything"/>.</summary>
    public static ImmutableArray<string> Names { get; } = Of(SourceProject.Of($"namespace Shop; {Everything}"));

    /// <summary>Gets the names in a project's generated code, sorted.</summary>
    public static ImmutableArray<string> Of(SourceProject project)
    {
        var names = Identifiers(project).ToHashSet(StringComparer.Ordinal);
        names.UnionWith(typeof(object).GetMethods(BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static).Select(static method => method.Name));
        names.UnionWith(names.SelectMany(Remainders).ToList());
        return [.. names.Order(StringComparer.Ordinal)];
    }

    /// <summary>The identifiers in generated files.</summary>
    public static IEnumerable<string> Identifiers(SourceProject project) =>
        project.Generate().Compilation.SyntaxTrees
            .Except(project.Compilation.SyntaxTrees)
            .SelectMany(static tree => tree.GetRoot().DescendantTokens())
            .Where(static token => token.IsKind(SyntaxKind.IdentifierToken) || token.IsKind(SyntaxKind.UnderscoreToken))
            .Select(static token => token.ValueText);

    /// <summary>Gets the rest of a name without a part that the generator adds.</summary>
    public static IEnumerable<string> Remainders(string name) =>
        from affix in Affixes
        where name.StartsWith(affix.Before, StringComparison.Ordinal) && name.EndsWith(affix.After, StringComparison.Ordinal)
        let remainder = name[affix.Before.Length..Math.Max(affix.Before.Length, name.Length - affix.After.Length)]
        where SyntaxFacts.IsValidIdentifier(remainder)
        select remainder;
}
