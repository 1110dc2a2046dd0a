namespace BufferedMessages.Generator.Tests;

/// <content>Features of names.</content>
internal static partial class Features
{
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
}
