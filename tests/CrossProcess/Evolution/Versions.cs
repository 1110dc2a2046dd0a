// The same message as programs of different ages know it.
namespace BufferedMessages.CrossProcess.Version1
{
    [BufferedMessageSource]
    public partial class Trade
    {
        public long Id { get; set; }

        public string? Text { get; set; }
    }
}

namespace BufferedMessages.CrossProcess.Version2
{
    /// <summary>Has more members, at the end.</summary>
    [BufferedMessageSource]
    public partial class Trade
    {
        public long Id { get; set; }

        public string? Text { get; set; }

        public int Quantity { get; set; }

        public string? Venue { get; set; }
    }
}

namespace BufferedMessages.CrossProcess.Version3
{
    /// <summary>Goes with version 1 and not with version 2: its third member is of another kind.</summary>
    [BufferedMessageSource]
    public partial class Trade
    {
        public long Id { get; set; }

        public string? Text { get; set; }

        public double Price { get; set; }
    }
}

namespace BufferedMessages.CrossProcess.Plain
{
    /// <summary>Holds an address and a price as they are on the wire.</summary>
    [BufferedMessageSource]
    public partial class Offer
    {
        public string? Site { get; set; }

        public long Price { get; set; }

        public List<string>? Links { get; set; }
    }
}

namespace BufferedMessages.CrossProcess.Converted
{
    /// <summary>The same message with types of its own.</summary>
    [BufferedMessageSource]
    public partial class Offer
    {
        [BufferedMessageConverter(typeof(UriConverter))]
        public Uri? Site { get; set; }

        [BufferedMessageConverter(typeof(CentsConverter))]
        public decimal Price { get; set; }

        [BufferedMessageConverter(typeof(UriConverter))]
        public List<Uri>? Links { get; set; }
    }

    internal static class UriConverter
    {
        public static string ToWire(Uri value) => value.OriginalString;

        public static Uri FromWire(string value) => new(value, UriKind.Absolute);
    }

    internal static class CentsConverter
    {
        public static long ToWire(decimal value) => (long)(value * 100);

        public static decimal FromWire(long value) => value / 100m;
    }
}
