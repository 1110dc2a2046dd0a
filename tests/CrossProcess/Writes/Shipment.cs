namespace BufferedMessages.CrossProcess.Writes;

/// <summary>A message with everything that is written element by element.</summary>
[BufferedMessageSource]
public sealed partial class Shipment
{
    public string? Name { get; set; }

    public List<Parcel>? Parcels { get; set; }

    public Parcel? First { get; set; }

    public string[]? Notes { get; set; }

    public (string Street, int Number)[]? Stops { get; set; }

    public Extent[]? Extents { get; set; }

    public Dictionary<string, Parcel>? ByName { get; set; }

    public Dictionary<int, string>? ById { get; set; }

    public IChange? Last { get; set; }

    public IChange[]? Changes { get; set; }

    /// <summary>Makes one in which nothing is null or empty.</summary>
    public static Shipment Create()
    {
        var parcel = new Parcel { Label = "a label that is not in its slot", Inner = new Parcel { Label = "short" }, Tags = ["one", "two, which is longer"] };
        return new Shipment
        {
            Name = "a name that is not in its slot",
            Parcels = [parcel, parcel],
            First = parcel,
            Notes = ["short", "a note that is not in its slot"],
            Stops = [("a street that is not in its slot", 1), ("short", 2)],
            Extents = [new Extent(1, 2), new Extent(3, 4)],
            ByName = new Dictionary<string, Parcel>(StringComparer.Ordinal) { ["first"] = parcel, ["second"] = parcel },
            ById = new Dictionary<int, string> { [1] = "one", [2] = "two, which is longer" },
            Last = new Moved("a place that is not in its slot"),
            Changes = [new Moved("here"), new Lost(5)],
        };
    }
}

/// <summary>A message in a list, in a dictionary, and in itself.</summary>
[BufferedMessageSource]
public sealed partial class Parcel
{
    public string? Label { get; set; }

    public long Weight { get; set; }

    public Parcel? Inner { get; set; }

    public List<string>? Tags { get; set; }
}

/// <summary>A struct with padding.</summary>
public readonly record struct Extent(byte Kind, int Width);

/// <summary>A union.</summary>
[BufferedMessageUnion]
[BufferedCase<Moved>(1)]
[BufferedCase<Lost>(2)]
public partial interface IChange;

/// <summary>A case with a payload.</summary>
[BufferedMessageSource]
public sealed partial record Moved(string To) : IChange;

/// <summary>A case without one.</summary>
[BufferedMessageSource]
public sealed partial record Lost(int Count) : IChange;
