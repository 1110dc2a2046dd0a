using System.Reflection;
using System.Text.RegularExpressions;
using BufferedMessages.TestKit;

namespace BufferedMessages.Generator.Tests;

/// <content>Features of types, names and attributes.</content>
internal static partial class Features
{
    public const string NestedTypes =
        """
        namespace Shop;

        public static partial class Outer
        {
            internal partial record Middle
            {
                [BufferedMessageSource]
                private partial class Hidden
                {
                    public int Value { get; set; }
                    public List<Hidden>? Children { get; set; }
                }

                [BufferedMessageSource]
                protected internal partial struct Shown
                {
                    public string? Text { get; set; }
                }
            }

            public partial interface IHolder
            {
                [BufferedMessageSource]
                public partial class Held
                {
                    public long Id { get; set; }
                }
            }
        }
        """;

    public const string Writers =
        """
        namespace Shop;

        [BufferedMessageSource(GenerateWriter = true)]
        public partial class Order
        {
            public int Id { get; set; }
            public decimal? Discount { get; set; }
            public string? Note { get; set; }
            public byte[]? Photo { get; set; }
            public Line? Main { get; set; }
            public List<Line>? Lines { get; set; }
            public List<string>? Tags { get; set; }
            public List<int>? Scores { get; set; }
            public bool[]? Flags { get; set; }
            public Dictionary<string, int>? Totals { get; set; }
            public Plain? Other { get; set; }
        }

        [BufferedMessageSource(ViewName = "LineView", GenerateWriter = true)]
        public partial class Line
        {
            public string? Sku { get; set; }
        }

        [BufferedMessageSource]
        public partial struct Plain
        {
            public int Value { get; set; }
        }
        """;

    public const string InternalType =
        """
        namespace Shop.Deep.Down;

        [BufferedMessageSource]
        internal sealed partial class Secret
        {
            public int Value { get; set; }
        }
        """;

    public const string GlobalNamespace =
        """
        [BufferedMessageSource]
        public partial class Rootless
        {
            public string? Name { get; set; }
            public Rootless? Next { get; set; }
        }
        """;

    public const string KeywordNames =
        """
        namespace @namespace.@class;

        public enum @enum { @default }

        [BufferedMessageSource]
        public partial class @event
        {
            public int @int { get; set; }
            public string? @string { get; init; }
            public @enum @new { get; set; }
            public int? @null { get; set; }
            public List<@event>? @this { get; set; }
            public @record? where { get; set; }
            public int value { get; set; }
        }

        [BufferedMessageSource]
        public partial class @record
        {
            public string @base { get; init; } = "";
        }
        """;

    public const string AwkwardNames =
        """
        namespace Shop;

        [BufferedMessageSource]
        public partial class Layout
        {
            public int BlockBytes { get; set; }
            public int? Size { get; set; }
            public int SizePresence { get; set; }
            public string? Source { get; set; }
            public List<string[]>? Elements { get; set; }
            public List<string[]>? Item { get; set; }
            public Layout? Writer { get; set; }
            public Layout? at { get; set; }
            public int[]? values { get; set; }
            public int[]? Values { get; set; }
            public int Block { get; set; }
            public string Result { get; init; } = "";
            public int Schema { get; set; }
            public string? _ { get; set; }
            public int ToString { get; set; }
        }
        """;

    public const string OwnMembersOfThoseNames =
        """
        namespace Shop;

        [BufferedMessageSource]
        public partial class Report
        {
            public int Write { get; set; }
            public int CalculateSize { get; set; }
        }

        [BufferedMessageSource]
        public partial class Journal
        {
            public int Pages { get; set; }
            public void Write(string text) => Pages += text.Length;
        }
        """;

    public const string Inheritance =
        """
        namespace Shop;

        public abstract class Entity
        {
            /// <summary>The key.</summary>
            public int Id { get; set; }
            public virtual string Kind { get; protected set; } = "entity";
            public int Version { get; private set; }
            public object? Hidden { get; set; }
        }

        [BufferedMessageSource(nameof(Hidden), nameof(Version))]
        public partial class Animal : Entity
        {
            public string? Name { get; set; }
        }

        [BufferedMessageSource(nameof(Hidden), nameof(Version))]
        public partial class Dog : Animal
        {
            public override string Kind { get => base.Kind; protected set => base.Kind = value; }
            public bool Good { get; set; }
            public new long Name { get; set; }
        }
        """;

    public const string IgnoredAndNamed =
        """
        namespace Shop;

        [BufferedMessageSource(nameof(Cache), "Lock", ViewName = "DocumentView")]
        public partial class Document
        {
            public string? Title { get; set; }
            [BufferedIgnore]
            public object? Tag { get; set; }
            public Dictionary<string, object>? Cache { get; set; }
            public object Lock = new();
            public List<Document>? Parts { get; set; }
        }

        public readonly ref partial struct DocumentView
        {
            public int TitleLength => Title.Length;
        }
        """;

    public const string Ordinals =
        """
        namespace Shop;

        [BufferedMessageSource]
        public partial class Ordered
        {
            [BufferedMember(2)]
            public string? Third { get; set; }
            [BufferedMember(0)]
            public byte First { get; set; }
            [BufferedMember(1)]
            public long Second;
        }
        """;

    public const string Reserved =
        """
        namespace Shop;

        [BufferedMessageSource]
        public partial class Leg
        {
            public int Units { get; set; }
        }

        [BufferedMessageSource]
        [BufferedReserved(1, typeof(int))]
        [BufferedReserved(3, typeof(List<Leg>))]
        [BufferedReserved(4, typeof(Guid?))]
        public partial class Shipment
        {
            public byte First { get; set; }
            public string? Third { get; set; }
            public bool? Sixth { get; set; }
        }
        """;

    public const string NoConstructor =
        """
        namespace Shop;

        [BufferedMessageSource]
        public partial class Closed
        {
            public Closed(int unknown) => Value = unknown;

            public int Value { get; set; }
        }

        [BufferedMessageSource]
        public partial class Holder
        {
            public Closed? Closed { get; set; }
        }
        """;

    public const string Documentation =
        """
        namespace Shop;

        /// <summary>An article.</summary>
        [BufferedMessageSource]
        public partial class Article
        {
            /// <summary>The number in the <see cref="Catalog"/>, less than <c>100 &lt;&lt; 2</c>.</summary>
            /// <remarks>
            /// First line.
            ///   Indented line.
            /// </remarks>
            public int Number { get; set; }

            /// <inheritdoc cref="Number"/>
            public int Inherited { get; set; }

            /// <summary>Not closed.
            public int Broken { get; set; }

            public int Silent { get; set; }
        }

        /// <summary>A catalog.</summary>
        public class Catalog;
        """;

    public const string Obsolete =
        """
        namespace Shop;

        [BufferedMessageSource]
        public partial class Old
        {
            [Obsolete]
            public int Left { get; set; }

            [Obsolete("Use Left.")]
            public Retired? Right { get; set; }

            [Obsolete("Gone.", error: true)]
            public (Color Color, int Count) Last { get; set; }

            public int Old1 { get; [Obsolete("For messages only.", error: true)] set; }
        }

        [Obsolete("Not made any more.")]
        [BufferedMessageSource]
        public partial class Retired
        {
            public int Year { get; set; }
        }

        [Obsolete("Not made any more.", error: true, DiagnosticId = "SHOP1", UrlFormat = "https://shop.example/{0}")]
        [BufferedMessageSource]
        public partial class Gone
        {
            public Color Color { get; set; }
            public Gone? Next { get; set; }
        }

        [Obsolete("Use a name.", error: true)]
        public enum Color { Red }

        [BufferedMessageSource]
        public partial class Guarded
        {
            [Obsolete("For copies only.", error: true)]
            public Guarded()
            {
            }

            public int Id { get; set; }
        }
        """;

    public const string Experimental =
        """
        using System.Diagnostics.CodeAnalysis;

        namespace Shop;

        [Experimental("SHOP2")]
        [BufferedMessageSource]
        public partial class Trial
        {
            public int Year { get; set; }
        }

        [Experimental("SHOP3", UrlFormat = "https://shop.example/{0}")]
        [BufferedMessageUnion]
        [BufferedCase<Trial2>(1)]
        public partial interface IAttempt;

        [BufferedMessageSource]
        #pragma warning disable SHOP3
        public partial class Trial2 : IAttempt
        #pragma warning restore SHOP3
        {
            public int Year { get; set; }
        }

        [BufferedMessageSource]
        public partial class Holder
        {
            [Experimental("SHOP4")]
            public int Year { get; set; }

            #pragma warning disable SHOP2
            public List<(int Number, Trial Trial)>? Trials { get; set; }
            #pragma warning restore SHOP2
        }
        """;

    public const string Computed =
        """
        namespace Shop;

        [BufferedMessageSource]
        public partial class Box
        {
            public int Width { get; set; }
            public int Height { get; init; }
            public int Area => Width * Height;
            public Uri Link => new($"shop:{Area}");
            public virtual string Text { get => $"{Width} x {Height}"; }
            public int Depth;
        }

        [BufferedMessageSource]
        public partial class Labelled
        {
            [BufferedMember(0)]
            public int Width { get; set; }

            [BufferedMember(1)]
            public int Area => Width * Width;

            public int Volume => Area * Width;

            [BufferedMember(2)]
            public string? Label { get; set; }
        }

        [BufferedMessageSource]
        public partial class Settable : Box
        {
            public override string Text { get; } = "";
            public Settable(string text) => Text = text;
        }

        [BufferedMessageSource]
        public partial record Line(string Sku, int Count, decimal Price)
        {
            public decimal Total => Count * Price;
        }
        """;

    public const string NamesThatGiveWay =
        """
        namespace Shop;

        [BufferedMessageSource(GenerateWriter = true)]
        public partial class Write
        {
            public int _block { get; set; }
            public new int ToString { get; set; }
        }

        [BufferedMessageSource]
        public partial class CalculateSize
        {
            public (int IsNull, int ToTuple) To { get; set; }
        }

        [BufferedMessageSource]
        public partial record String(int Number);

        public partial class Outer
        {
            [BufferedMessageUnion]
            [BufferedCase<Text>(1)]
            public partial interface IString;

            [BufferedMessageSource]
            public partial class Text : IString
            {
                public int Number { get; set; }
            }
        }

        [BufferedMessageSource]
        public partial class Report
        {
            public int Write { get; set; }
            public string? CalculateSize { get; set; }
        }

        [BufferedMessageSource]
        public partial class Yearly : Report
        {
            public int Year { get; set; }
        }
        """;

    public const string Empty =
        """
        namespace Shop;

        [BufferedMessageSource]
        public partial class Empty;
        """;

    /// <summary>The names of all features.</summary>
    public static IEnumerable<string> All => Constants.Select(static constant => constant.Name);

    /// <summary>The names of all features, as a test's data.</summary>
    public static TheoryData<string> Names => [.. All];

    private static IEnumerable<FieldInfo> Constants => typeof(Features).GetFields().Where(static constant => constant.IsLiteral);

    /// <summary>The project of a feature.</summary>
    public static SourceProject Project(string name, ProjectOptions? options = null) => SourceProject.Of(Text(name), options);

    /// <summary>The same where every source has a writer too.</summary>
    public static SourceProject ProjectWithWriters(string name) =>
        SourceProject.Of(AttributeArguments().Replace(Text(name), static match => $"[BufferedMessageSource({WithWriter(match.Groups["arguments"].Value)})]"));

    private static string Text(string name) => (string)Constants.Single(constant => constant.Name == name).GetRawConstantValue()!;

    private static string WithWriter(string arguments) => arguments switch
    {
        "" => "GenerateWriter = true",
        _ when arguments.Contains("GenerateWriter", StringComparison.Ordinal) => arguments,
        _ => arguments + ", GenerateWriter = true",
    };

    [GeneratedRegex(@"\[BufferedMessageSource(\((?<arguments>.*)\))?\]", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex AttributeArguments();
}
