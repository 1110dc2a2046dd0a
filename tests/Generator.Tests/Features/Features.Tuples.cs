namespace BufferedMessages.Generator.Tests;

/// <content>Features of tuples, keys with their values, and generic bases.</content>
internal static partial class Features
{
    public const string Tuples =
        """
        namespace Shop;

        [BufferedMessageSource]
        public partial class Line
        {
            public string? Sku { get; set; }
        }

        [BufferedMessageSource]
        public partial class Basket
        {
            public (int, int) Size { get; set; }
            public (string? Sku, decimal Price)? Best { get; set; }

            /// <summary>What is in it.</summary>
            public List<(string Name, int Count)> Lines { get; init; } = [];
            public (Line Line, DateOnly? Until)?[]? Offers { get; set; }
            public Dictionary<string, (int[] Stock, (double Low, double High) Range)> Prices { get; init; } = [];
            public KeyValuePair<string, int> Top { get; set; }
            public IReadOnlyList<KeyValuePair<int, Line?>>? Ranking { get; set; }
            public (int A, int B, int C, int D, int E, int F, int G, string H, int I) Long { get; set; }
        }
        """;

    public const string TupleNames =
        """
        namespace Shop;

        internal enum Hidden { None }

        [BufferedMessageSource]
        [BufferedReserved(1, typeof((int, List<(string, Hidden)>)))]
        public partial class Range
        {
            public (bool IsNull, string @class, int source, int Source, (int, int) ToTuple) Bounds { get; set; }
            public int BoundsTuple { get; set; }
            public (int StepsTuple2, (int x, int X) Steps) Steps { get; set; }
            public (int, int) StepsTuple { get; set; }
        }
        """;

    public const string GenericBase =
        """
        namespace Shop;

        public class Page<T>
        {
            public int Number { get; set; }
            public List<T> Items { get; init; } = [];
            public (T First, T Last) Ends { get; set; }
        }

        [BufferedMessageSource]
        public partial record struct Item(int Id);

        [BufferedMessageSource]
        public partial class ItemPage : Page<Item>
        {
            public string? Next { get; set; }
        }
        """;
}
