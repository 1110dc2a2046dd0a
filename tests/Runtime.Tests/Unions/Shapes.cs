namespace BufferedMessages.Runtime.Tests.Unions;

/// <summary>A union that is an abstract class.</summary>
[BufferedMessageUnion]
[BufferedCase<Circle>(1)]
[BufferedCase<Polygon>(2)]
[BufferedCase<Group>(3)]
[BufferedReserved(4)]
[BufferedCase<Star>(5)]
internal abstract partial record Shape
{
    public string? Label { get; init; }
}

[BufferedMessageSource]
internal sealed partial record Circle : Shape
{
    public double Radius { get; init; }
}

[BufferedMessageSource]
internal partial record Polygon : Shape
{
    public List<int>? Corners { get; init; }
}

/// <summary>A case that is derived from another one.</summary>
[BufferedMessageSource]
internal sealed partial record Star : Polygon
{
    public int Points { get; init; }
}

/// <summary>A case with the union in it.</summary>
[BufferedMessageSource]
internal sealed partial record Group : Shape
{
    public List<Shape?>? Shapes { get; init; }

    public Shape? Frame { get; init; }
}

/// <summary>No case: its member would be lost.</summary>
internal sealed record Hexagon : Polygon
{
    public int Side { get; init; }
}

/// <summary>A union that is an interface.</summary>
[BufferedMessageUnion]
[BufferedCase<Car>(1)]
[BufferedCase<Bicycle>(2, Name = "Bike")]
internal partial interface IVehicle
{
    string? Owner { get; }
}

[BufferedMessageSource]
internal partial class Car : IVehicle
{
    public string? Owner { get; set; }

    public int Seats { get; set; }
}

/// <summary>A case that is a struct.</summary>
[BufferedMessageSource]
internal readonly partial record struct Bicycle(string? Owner, byte Gears) : IVehicle;

/// <summary>A union that its case implements by a base alone, which has the methods of a source of its own.</summary>
[BufferedMessageUnion]
[BufferedCase<Payment>(1)]
internal partial interface IHappening
{
    int Id { get; }
}

[BufferedMessageSource]
internal partial class Entry
{
    public int Id { get; set; }
}

internal abstract class Happening : Entry, IHappening;

[BufferedMessageSource]
internal sealed partial class Payment : Happening
{
    public string? By { get; set; }
}

/// <summary>Unions in all places.</summary>
[BufferedMessageSource]
internal partial class Drawing
{
    public int Version { get; set; }

    public Shape? Main { get; set; }

    public List<Shape?>? Layers { get; set; }

    public Dictionary<string, Shape?>? ByName { get; set; }

    public Dictionary<int, List<Shape>>? ByLevel { get; set; }

    public IVehicle? Carrier { get; set; }

    public Shape[][]? Grid { get; set; }

    public string? End { get; set; }
}
