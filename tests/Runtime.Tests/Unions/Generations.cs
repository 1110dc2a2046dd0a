// A log of events in three generations of a program.
namespace BufferedMessages.Runtime.Tests.Unions.Generation1
{
    [BufferedMessageUnion]
    [BufferedCase<Created>(1)]
    [BufferedCase<Moved>(2)]
    public partial interface IEvent;

    [BufferedMessageSource]
    public sealed partial class Created : IEvent
    {
        public long At { get; set; }
    }

    [BufferedMessageSource]
    public sealed partial class Moved : IEvent
    {
        public int From { get; set; }
    }

    [BufferedMessageSource]
    public sealed partial class Log
    {
        public List<IEvent>? All { get; set; }

        public Dictionary<string, IEvent>? ByName { get; set; }

        public IEvent? Last { get; set; }
    }
}

namespace BufferedMessages.Runtime.Tests.Unions.Generation2
{
    /// <summary>A case is new.</summary>
    [BufferedMessageUnion]
    [BufferedCase<Created>(1)]
    [BufferedCase<Moved>(2)]
    [BufferedCase<Renamed>(3)]
    public partial interface IEvent;

    /// <summary>The name is new.</summary>
    [BufferedMessageSource]
    public sealed partial class Created : IEvent
    {
        public long At { get; set; }

        public string? By { get; set; }
    }

    [BufferedMessageSource]
    public sealed partial class Moved : IEvent
    {
        public int From { get; set; }
    }

    [BufferedMessageSource]
    public sealed partial class Renamed : IEvent
    {
        public string? Name { get; set; }
    }

    [BufferedMessageSource]
    public sealed partial class Log
    {
        public List<IEvent>? All { get; set; }

        public Dictionary<string, IEvent>? ByName { get; set; }

        public IEvent? Last { get; set; }
    }
}

namespace BufferedMessages.Runtime.Tests.Unions.Generation3
{
    /// <summary>A case is gone, and another one is new; it has events in it.</summary>
    [BufferedMessageUnion]
    [BufferedCase<Created>(1)]
    [BufferedReserved(2)]
    [BufferedCase<Renamed>(3)]
    [BufferedCase<Merged>(4)]
    public partial interface IEvent;

    [BufferedMessageSource]
    public sealed partial class Created : IEvent
    {
        public long At { get; set; }

        public string? By { get; set; }
    }

    [BufferedMessageSource]
    public sealed partial class Renamed : IEvent
    {
        public string? Name { get; set; }
    }

    [BufferedMessageSource]
    public sealed partial class Merged : IEvent
    {
        public List<IEvent>? Parts { get; set; }
    }

    [BufferedMessageSource]
    public sealed partial class Log
    {
        public List<IEvent>? All { get; set; }

        public Dictionary<string, IEvent>? ByName { get; set; }

        public IEvent? Last { get; set; }
    }
}
