using System.Reflection;
using System.Text.RegularExpressions;
using BufferedMessages.TestKit;

namespace BufferedMessages.Generator.Tests;

/// <content>Features of types.</content>
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

    /// <summary>Gets the project of a feature, with a writer for every source.</summary>
    public static SourceProject ProjectWithWriters(string name, ProjectOptions? options = null) =>
        SourceProject.Of(AttributeArguments().Replace(Text(name), static match => $"[BufferedMessageSource({WithWriter(match.Groups["arguments"].Value)})]"), options);

    private static string Text(string name) => (string)Constants.Single(constant => constant.Name == name).GetRawConstantValue()!;

    private static string WithWriter(string arguments) => arguments switch
    {
        "" => "GenerateWriter = true",
        _ when arguments.Contains("GenerateWriter", StringComparison.Ordinal) => arguments,
        _ => arguments + ", GenerateWriter = true",
    };

    [GeneratedRegex(@"\[BufferedMessageSource(\((?<arguments>.*)\))?\]", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 60_000)]
    private static partial Regex AttributeArguments();
}
