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
