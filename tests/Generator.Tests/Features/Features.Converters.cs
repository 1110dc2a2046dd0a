namespace BufferedMessages.Generator.Tests;

/// <content>Types of members that converters turn into kinds.</content>
internal static partial class Features
{
    public const string Converters =
        """
        [assembly: BufferedMessageConverter(typeof(Shop.UriConverter))]

        namespace Shop;

        internal static class UriConverter
        {
            public static string ToWire(Uri value) => value.OriginalString;
            public static Uri FromWire(string value) => new(value);
        }

        [BufferedMessageConverter(typeof(MoneyConverter))]
        public readonly record struct Money(decimal Amount);

        internal static class MoneyConverter
        {
            public static byte[] ToWire(Money value) => [];
            public static Money FromWire(byte[] value) => default;
            public static Money FromWire(ReadOnlySpan<byte> value) => default;
        }

        internal static class CentsConverter
        {
            public static long ToWire(Money value) => (long)(value.Amount * 100);
            public static Money FromWire(long value) => new(value / 100m);
        }

        public readonly record struct Padded(byte Kind, int Value);

        internal static class VersionConverter
        {
            public static Padded ToWire(Version value) => new((byte)value.Major, value.Minor);
            public static Version FromWire(Padded value) => new(value.Kind, value.Value);
        }

        [BufferedMessageSource, BufferedReserved(3, typeof(Uri))]
        public partial class Offer
        {
            public required Uri Site { get; init; }
            public Money Price { get; set; }
            public Money? Discount { get; set; }
            [BufferedMessageConverter(typeof(CentsConverter))]
            public Money Fee { get; set; }
            [BufferedMessageConverter(typeof(CentsConverter))]
            public Money? Tip { get; set; }
            [BufferedMessageConverter(typeof(VersionConverter))]
            public Version? Version { get; set; }
            public List<Uri>? Links { get; set; }
            [BufferedMessageConverter(typeof(CentsConverter))]
            public Money[]? Fees { get; set; }
            [BufferedMessageConverter(typeof(VersionConverter))]
            public Queue<Version[]>? Versions { get; set; }
            public Dictionary<Uri, Money>? Prices { get; set; }
            [BufferedMessageConverter(typeof(CentsConverter))]
            public HashSet<Money>? Distinct { get; set; }
            public (Uri Site, Money Price) Pair { get; set; }
        }
        """;
}
