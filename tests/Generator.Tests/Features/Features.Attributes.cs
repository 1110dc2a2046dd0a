namespace BufferedMessages.Generator.Tests;

/// <content>Features of attributes, and of stored members.</content>
internal static partial class Features
{
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
}
