namespace BufferedMessages.Generator.Tests;

/// <content>Features of members and constructors.</content>
internal static partial class Features
{
    public const string PositionalRecord =
        """
        namespace Shop;

        /// <summary>A person.</summary>
        /// <param name="Name">The full name.</param>
        [BufferedMessageSource]
        public partial record Person(string Name, int Age, List<string> Tags)
        {
            public string Nick { get; init; } = "none";
        }
        """;

    public const string RecordStruct =
        """
        namespace Shop;

        [BufferedMessageSource]
        public readonly partial record struct Money(decimal Amount, string Currency);

        [BufferedMessageSource]
        public partial record struct Pair(int Left, int Right);
        """;

    public const string GetOnlyMembers =
        """
        namespace Shop;

        [BufferedMessageSource]
        public readonly partial struct Range
        {
            public Range(int start, int length)
            {
                Start = start;
                Length = length;
            }

            public readonly int Start;

            public int Length { get; }

            public int End => Start + Length;
        }
        """;

    public const string PrivateSettersAndConstructor =
        """
        namespace Shop;

        [BufferedMessageSource]
        public partial class Account
        {
            private Account()
            {
            }

            public int Number { get; private set; }

            public string Owner { get; private set; } = "";

            public static Account Open(int number, string owner) => new() { Number = number, Owner = owner };
        }
        """;

    public const string InitAndRequired =
        """
        namespace Shop;

        [BufferedMessageSource]
        public partial class Job
        {
            public required string Name { get; init; }
            public required int Priority { get; set; }
            public string Queue { get; init; } = "default";
            public string? Note { get; init; }
            public List<int> Steps { get; init; } = [1];
            public Job[] Children { get; init; } = [];
        }
        """;

    public const string PublicFields =
        """
        namespace Shop;

        [BufferedMessageSource]
        public partial struct Fields
        {
            public const int Ignored = 1;
            public static int AlsoIgnored;
            public int Count;
            public string? Name;
            public List<int>? Values;
            internal int NotPublic;
        }
        """;
}
