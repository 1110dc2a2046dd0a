namespace BufferedMessages.Generator.Tests;

/// <summary>One small source per feature of the generator. The snapshot tests show what is generated, the strict tests compile it.</summary>
internal static partial class Features
{
    public const string Scalars =
        """
        namespace Shop;

        public enum Color : byte { Red, Green }

        [BufferedMessageSource]
        public partial class Scalars
        {
            public bool Flag { get; set; }
            public sbyte I8 { get; set; }
            public byte U8 { get; set; }
            public short I16 { get; set; }
            public ushort U16 { get; set; }
            public int I32 { get; set; }
            public uint U32 { get; set; }
            public long I64 { get; set; }
            public ulong U64 { get; set; }
            public Int128 I128 { get; set; }
            public UInt128 U128 { get; set; }
            public char Char { get; set; }
            public Half F16 { get; set; }
            public float F32 { get; set; }
            public double F64 { get; set; }
            public decimal Decimal { get; set; }
            public Guid Guid { get; set; }
            public DateTime DateTime { get; set; }
            public DateTimeOffset DateTimeOffset { get; set; }
            public TimeSpan TimeSpan { get; set; }
            public DateOnly DateOnly { get; set; }
            public TimeOnly TimeOnly { get; set; }
            public Color Color { get; set; }
        }
        """;

    public const string Nullables =
        """
        namespace Shop;

        public enum Level : long { Low, High }

        [BufferedMessageSource]
        public partial class Nullables
        {
            public int First { get; set; }
            public bool? B1 { get; set; }
            public byte? B2 { get; set; }
            public short? B3 { get; set; }
            public int? B4 { get; set; }
            public long? B5 { get; set; }
            public Guid? B6 { get; set; }
            public decimal? B7 { get; set; }
            public Level? B8 { get; set; }
            public DateTime? B9 { get; set; }
        }
        """;

    public const string StringsAndBinaries =
        """
        namespace Shop;

        [BufferedMessageSource]
        public partial class Texts
        {
            public string Name { get; set; } = "";
            public string? Note { get; set; }
            public byte[]? Photo { get; set; }
            public Memory<byte> Writable { get; set; }
            public ReadOnlyMemory<byte> Readable { get; set; }
            public ReadOnlyMemory<byte>? MaybeReadable { get; set; }
            public ImmutableArray<byte> Frozen { get; set; } = [];
        }
        """;

    public const string Lists =
        """
        namespace Shop;

        [BufferedMessageSource]
        public partial class Lists
        {
            public int[]? Array { get; set; }
            public List<long> List { get; set; } = [];
            public IList<float>? IList { get; set; }
            public ICollection<double>? ICollection { get; set; }
            public IReadOnlyList<char>? IReadOnlyList { get; set; }
            public IReadOnlyCollection<Guid>? IReadOnlyCollection { get; set; }
            public IEnumerable<TimeSpan>? IEnumerable { get; set; }
            public ImmutableArray<short> ImmutableArray { get; set; } = [];
            public ImmutableArray<short>? MaybeImmutableArray { get; set; }
            public Memory<int> Memory { get; set; }
            public Memory<int>? MaybeMemory { get; set; }
            public ReadOnlyMemory<int> ReadOnlyMemory { get; set; }
            public List<byte>? Bytes { get; set; }
            public List<bool>? Checked { get; set; }
            public decimal[]? Decimals { get; set; }
            public int?[]? Nullables { get; set; }
            public List<string?>? Strings { get; set; }
            public List<byte[]?>? Binaries { get; set; }
        }
        """;

    public const string Collections =
        """
        using System.Collections.ObjectModel;

        namespace Shop;

        [BufferedMessageSource]
        public partial class Collections
        {
            public ArraySegment<int> Segment { get; set; }
            public ArraySegment<int>? MaybeSegment { get; set; }
            public ArraySegment<byte> BinarySegment { get; set; }
            public ImmutableList<long>? ImmutableList { get; set; }
            public Queue<string> Queue { get; set; } = new();
            public Stack<decimal>? Stack { get; init; }
            public LinkedList<int?>? LinkedList { get; set; }
            public Collection<byte>? Collection { get; set; }
            public ReadOnlyCollection<Collections>? ReadOnlyCollection { get; set; }
            public ObservableCollection<byte[]>? ObservableCollection { get; set; }
            public Queue<Stack<int>>? Nested { get; set; }
            public Dictionary<string, LinkedList<string>>? ByName { get; set; }
        }
        """;

    public const string NestedLists =
        """
        namespace Shop;

        [BufferedMessageSource]
        public partial class Nested
        {
            public int[][]? Matrix { get; set; }
            public List<List<string>> Words { get; set; } = [];
            public IReadOnlyList<ImmutableArray<DateTime?>>? Times { get; set; }
            public List<Nested[]>? Trees { get; set; }
            public List<List<ReadOnlyMemory<byte>>>? Blobs { get; set; }
        }
        """;

    public const string Dictionaries =
        """
        namespace Shop;

        public enum Region : byte { North, South }
        public record struct Extent(byte Width, int Height);

        [BufferedMessageSource]
        public partial class Catalog
        {
            public Dictionary<string, int> Counts { get; set; } = [];
            public IDictionary<int, Catalog>? ById { get; set; }
            public IReadOnlyDictionary<Guid, string?>? Names { get; init; }
            public SortedDictionary<Region, decimal>? Totals { get; set; }
            public System.Collections.Concurrent.ConcurrentDictionary<long, DateTime?>? Seen { get; set; }
            public ImmutableDictionary<char, byte[]>? Images { get; set; }
            public ImmutableSortedDictionary<string, List<string>>? Tags { get; set; }
            public System.Collections.Frozen.FrozenDictionary<DateOnly, Dictionary<string, Catalog?>>? Days { get; set; }
            public Dictionary<bool, Extent> Extents { get; set; } = [];
            public Dictionary<UInt128, Extent?[]>? Grids { get; set; }
            public List<Dictionary<TimeSpan, bool>>? Flags { get; set; }
        }
        """;

    public const string Sets =
        """
        namespace Shop;

        [BufferedMessageSource]
        public partial class Groups
        {
            public HashSet<string> Names { get; set; } = [];
            public ISet<int>? Ids { get; set; }
            public IReadOnlySet<Guid>? Keys { get; init; }
            public SortedSet<string>? Sorted { get; set; }
            public ImmutableHashSet<char>? Letters { get; set; }
            public System.Collections.Frozen.FrozenSet<long>? Numbers { get; set; }
            public List<HashSet<byte>>? Lists { get; set; }
            public Dictionary<int, ISet<string>>? ByGroup { get; set; }
        }
        """;

    public const string Messages =
        """
        namespace Shop;

        [BufferedMessageSource]
        public partial class Order
        {
            public Line? Main { get; set; }
            public Point Origin { get; set; }
            public Point? Target { get; set; }
            public List<Line> Lines { get; set; } = [];
            public Point[]? Points { get; set; }
            public List<Point?>? MaybePoints { get; set; }
            public Order? Parent { get; set; }
        }

        [BufferedMessageSource]
        public partial class Line
        {
            public string Sku { get; set; } = "";
        }

        [BufferedMessageSource]
        public partial struct Point
        {
            public int X { get; set; }
            public int Y { get; set; }
        }
        """;

    public const string Structs =
        """
        using System.Runtime.InteropServices;

        namespace Shop;

        public struct Padded { public byte Kind; public int Value; public short Last; }

        [StructLayout(LayoutKind.Sequential, Pack = 1)]
        public struct Packed { public byte Kind; public int Value; }

        public readonly record struct Vector(float X, float Y, float Z);

        [System.Runtime.CompilerServices.InlineArray(3)]
        public struct ThreePadded { private Padded _first; }

        public unsafe struct Digest { public fixed byte Bytes[20]; }

        [BufferedMessageSource]
        public partial class Shapes
        {
            public Padded Padded { get; set; }
            public Padded? MaybePadded { get; set; }
            public Packed Packed { get; set; }
            public List<Vector>? Vectors { get; set; }
            public List<Padded>? PaddedList { get; set; }
            public Padded?[]? MaybePaddedList { get; set; }
            public List<List<Padded>>? PaddedLists { get; set; }
            public ThreePadded ThreePadded { get; set; }
            public Digest?[]? Digests { get; set; }
        }
        """;
}
