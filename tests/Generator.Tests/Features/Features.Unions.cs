namespace BufferedMessages.Generator.Tests;

/// <content>Features of unions.</content>
internal static partial class Features
{
    public const string Unions =
        """
        namespace Shop;

        [BufferedMessageUnion]
        [BufferedCase<Card>(1)]
        [BufferedCase<Transfer>(3)]
        [BufferedReserved(2)]
        public abstract partial record Payment
        {
            public decimal Amount { get; init; }
        }

        [BufferedMessageSource]
        public sealed partial record Card : Payment
        {
            public required string Number { get; init; }
        }

        [BufferedMessageSource]
        public partial record Transfer(string Iban) : Payment;

        [BufferedMessageSource(GenerateWriter = true)]
        public partial class Receipt
        {
            public Payment? Main { get; set; }
            public Payment Never { get; set; } = new Transfer("none");
            public List<Payment?>? Parts { get; set; }
            public Payment[][]? Grid { get; set; }
            public Dictionary<string, Payment>? ByName { get; set; }
            public Dictionary<int, List<Payment>?>? ByNumber { get; set; }
        }
        """;

    public const string InterfaceUnions =
        """
        namespace Shop;

        [BufferedMessageUnion]
        [BufferedCase<Created>(1)]
        [BufferedCase<Moved>(2)]
        [BufferedCase<Outer.Removed>(3, Name = "Gone")]
        public partial interface IEvent
        {
            long At { get; }
        }

        /// <summary>A union in another union's list of bases.</summary>
        [BufferedMessageUnion(ViewName = "ChangeView", CaseName = "KindOfChange")]
        [BufferedCase<Moved>(1)]
        public partial interface IChange : IEvent;

        [BufferedMessageSource]
        public partial class Created : IEvent
        {
            public long At { get; set; }
        }

        [BufferedMessageSource]
        public readonly partial record struct Moved(long At, int From, int To) : IChange;

        public static partial class Outer
        {
            [BufferedMessageSource]
            internal sealed partial class Removed : IEvent
            {
                public long At { get; set; }
                public IEvent? Cause { get; set; }
            }
        }
        """;

    public const string UnionNames =
        """
        namespace @namespace;

        public partial class Outer
        {
            [BufferedMessageUnion]
            [BufferedCase<Outer.@event>(1)]
            [BufferedCase<Outer.Other>(2, Name = "class")]
            protected internal abstract partial class @record
            {
                public int Write { get; set; }
                public int I { get; set; }
            }

            [BufferedMessageSource]
            protected internal sealed partial class @event : @record
            {
                public @record? @switch { get; set; }
            }

            [BufferedMessageSource]
            internal sealed partial class Other : @record;
        }
        """;
}
