// The same message in three generations of a program.
namespace BufferedMessages.Runtime.Tests.Evolution.Generation1
{
    public enum Side : byte
    {
        Buy,
        Sell,
    }

    [BufferedMessageSource]
    public partial class Trade
    {
        public long Id { get; set; }

        public string? Text { get; set; }

        public int Quantity { get; set; }

        public Side Side { get; set; }

        public string Desk { get; set; } = "none";

        public List<Leg>? Legs { get; set; }
    }

    [BufferedMessageSource]
    public partial class Leg
    {
        public int Units { get; set; }

        public string? Symbol { get; set; }
    }
}

namespace BufferedMessages.Runtime.Tests.Evolution.Generation2
{
    public enum Side : byte
    {
        Buy,
        Sell,
        Short,
    }

    /// <summary>The quantity is gone, the text is a note, the venue and the price are new.</summary>
    [BufferedMessageSource]
    [BufferedReserved(2, typeof(int))]
    public partial class Trade
    {
        public long Id { get; set; }

        public string? Note { get; set; }

        public Side Side { get; set; }

        public string Desk { get; set; } = "none";

        public List<Leg>? Legs { get; set; }

        public string Venue { get; set; } = "any";

        public double? Price { get; set; }
    }

    /// <summary>The fee is new.</summary>
    [BufferedMessageSource]
    public partial class Leg
    {
        public int Units { get; set; }

        public string? Symbol { get; set; }

        public decimal Fee { get; set; }
    }
}

namespace BufferedMessages.Runtime.Tests.Evolution.Generation3
{
    public enum Side : byte
    {
        Buy,
        Sell,
        Short,
        Cover,
    }

    /// <summary>The desk and the price are gone too, the fills are new, and the members are numbered and in another order.</summary>
    [BufferedMessageSource]
    [BufferedReserved(2, typeof(int))]
    [BufferedReserved(4, typeof(string))]
    [BufferedReserved(7, typeof(double?))]
    public partial class Trade
    {
        [BufferedMember(8)]
        public long[]? Fills { get; set; }

        [BufferedMember(6)]
        public string Venue { get; set; } = "any";

        [BufferedMember(5)]
        public List<Leg>? Legs { get; set; }

        [BufferedMember(3)]
        public Side Side { get; set; }

        [BufferedMember(1)]
        public string? Note { get; set; }

        [BufferedMember(0)]
        public long Id { get; set; }
    }

    /// <summary>The symbol is gone, the currency is new.</summary>
    [BufferedMessageSource]
    [BufferedReserved(1, typeof(string))]
    public partial class Leg
    {
        public int Units { get; set; }

        public decimal Fee { get; set; }

        public string? Currency { get; set; }
    }
}
