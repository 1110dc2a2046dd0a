using BufferedMessages.Runtime.Tests.Wire;

namespace BufferedMessages.Runtime.Tests.Unions;

/// <summary>Unions are measured, written and read without an allocation.</summary>
public class UnionAllocationTests
{
    private static readonly Drawing Source = new()
    {
        Main = new Polygon { Corners = [1, 2] },
        Layers = [new Circle { Radius = 1 }, null, new Star { Points = 5 }, new Group { Frame = new Circle() }],
        ByName = new() { ["a"] = new Circle { Radius = 2 }, ["b"] = null },
        Carrier = new Bicycle("Ann", 3),
        Grid = [[new Circle()]],
    };

    [Fact]
    public void Reading_views_allocates_nothing()
    {
        var bytes = Source.ToMessageArray();
        AllocationTests.AssertAllocatesNothing(() =>
        {
            var view = new DrawingBufferedMessage(bytes);
            var sum = view.Main.AsPolygon().Corners.Length + (int)view.Carrier.Case + view.Carrier.AsBike().Gears + view.Grid[0].Count;
            foreach (var layer in view.Layers)
            {
                sum += layer.IsUnknown ? 1 : (int)layer.Case;
                sum += layer.TryGetStar(out var star) ? star.Points : 0;
            }

            foreach (var (name, shape) in view.ByName)
            {
                sum += name.Length + (shape.TryGetCircle(out var circle) ? (int)circle.Radius : 0);
            }

            return sum + (int)view.ByName["a"].Case;
        });
    }

    [Fact]
    public void Writing_allocates_nothing()
    {
        var destination = new byte[4096];
        AllocationTests.AssertAllocatesNothing(() => Source.CalculateSize() + Source.Write(destination));
    }

    [Fact]
    public void Roots_allocate_nothing()
    {
        Shape source = new Circle { Radius = 2 };
        var bytes = source.ToMessageArray();
        AllocationTests.AssertAllocatesNothing(() => source.CalculateSize() + source.Write(bytes) + (int)new ShapeBufferedMessage(bytes).AsCircle().Radius);
    }
}
