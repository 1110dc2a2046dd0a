using BufferedMessages.Runtime.Tests.Wire;

namespace BufferedMessages.Runtime.Tests.Unions;

/// <summary>Unions round trip in every place; a view says the case and gives its view.</summary>
public class UnionTests
{
    private static readonly Circle Round = new() { Label = "a round one", Radius = 2.5 };
    private static readonly Polygon Angular = new() { Label = "p", Corners = [1, 2, 3, 5] };
    private static readonly Star Pointed = new() { Label = "a star of some length", Corners = [9], Points = 5 };

    [Fact]
    public void A_member_says_its_case_and_gives_its_view()
    {
        var main = new DrawingBufferedMessage(new Drawing { Main = Round }.ToMessageArray()).Main;

        Assert.Equal(ShapeCase.Circle, main.Case);
        Assert.False(main.IsNull || main.IsUnknown);
        Assert.Equal(2.5, main.AsCircle().Radius);
        Assert.True(main.TryGetCircle(out var circle) && circle.Label == "a round one");
    }

    [Fact]
    public void Another_case_is_not_given()
    {
        var main = new DrawingBufferedMessage(new Drawing { Main = Round }.ToMessageArray()).Main;

        Assert.False(main.TryGetPolygon(out var polygon));
        Assert.True(polygon.IsNull);
    }

    [Fact]
    public void Asking_for_another_case_throws()
    {
        var bytes = new Drawing { Main = Round }.ToMessageArray();
        var message = Assert.Throws<InvalidOperationException>(() => new DrawingBufferedMessage(bytes).Main.AsStar().Points).Message;
        Assert.Equal("The union holds the case 1, not 5. Check Case first, or use the method that tries.", message);
    }

    [Fact]
    public void A_null_member_is_no_case()
    {
        var bytes = new Drawing().ToMessageArray();
        var main = new DrawingBufferedMessage(bytes).Main;

        Assert.True(main.IsNull);
        Assert.False(main.IsUnknown);
        Assert.Equal(ShapeCase.None, main.Case);
        Assert.False(main.TryGetCircle(out _));
        Assert.Throws<InvalidOperationException>(() => new DrawingBufferedMessage(bytes).Main.AsCircle().Radius);
        Assert.Throws<InvalidOperationException>(() => new DrawingBufferedMessage(bytes).Main.ToShape());
        Assert.Null(new DrawingBufferedMessage(bytes).ToDrawing().Main);
    }

    [Fact]
    public void A_derived_type_is_a_case_of_its_own()
    {
        var main = new DrawingBufferedMessage(new Drawing { Main = Pointed }.ToMessageArray()).Main;

        Assert.Equal(ShapeCase.Star, main.Case);
        Assert.Equal(5, main.AsStar().Points);
        Assert.Equal(9, main.AsStar().Corners[0]);
        Assert.Equal(Pointed.Points, Assert.IsType<Star>(main.ToShape()).Points);
    }

    [Fact]
    public void Elements_of_a_list_have_cases_of_their_own()
    {
        var layers = new DrawingBufferedMessage(new Drawing { Layers = [Round, null, Pointed, Angular] }.ToMessageArray()).Layers;

        Assert.Equal(4, layers.Count);
        var cases = new List<ShapeCase>();
        foreach (var layer in layers)
        {
            cases.Add(layer.Case);
        }

        Assert.Equal([ShapeCase.Circle, ShapeCase.None, ShapeCase.Star, ShapeCase.Polygon], cases);
        Assert.Equal(5, layers[3].AsPolygon().Corners[3]);
    }

    [Fact]
    public void Values_of_dictionaries_have_cases_of_their_own()
    {
        var source = new Drawing
        {
            ByName = new() { ["round"] = Round, ["nothing"] = null, ["angular"] = Angular },
            ByLevel = new() { [7] = [Round, Pointed], [8] = [] },
        };
        var view = new DrawingBufferedMessage(source.ToMessageArray());

        Assert.Equal(2.5, view.ByName["round"].AsCircle().Radius);
        Assert.True(view.ByName["nothing"u8].IsNull);
        Assert.True(view.ByName["angular"].TryGetPolygon(out var polygon) && polygon.Corners.Length == 4);
        Assert.Equal(5, view.ByLevel[7][1].AsStar().Points);
        Assert.Equal(0, view.ByLevel[8].Count);
    }

    [Fact]
    public void A_large_dictionary_of_unions_round_trips()
    {
        var source = new Drawing { ByName = Enumerable.Range(0, 50).ToDictionary(static i => $"shape {i}", static i => i % 3 == 0 ? null : i % 3 == 1 ? (Shape)new Circle { Radius = i } : new Star { Points = i, Label = new string('x', i) }) };
        var copy = new DrawingBufferedMessage(source.ToMessageArray()).ToDrawing();

        Assert.Equal(source.ByName, copy.ByName);
    }

    [Fact]
    public void A_copy_equals_the_source()
    {
        var source = new Drawing
        {
            Version = 3,
            Main = new Group { Label = "both", Shapes = [Round, null, new Group { Frame = Round }], Frame = Pointed },
            Layers = [Round, null],
            Carrier = new Bicycle("Ann", 21),
            Grid = [[Round], [], [Round, Round]],
            End = "the end of it",
        };
        var copy = new DrawingBufferedMessage(source.ToMessageArray()).ToDrawing();

        var group = Assert.IsType<Group>(copy.Main);
        Assert.Equal([Round, null], group.Shapes![..2]);
        Assert.Equal(Round, Assert.IsType<Group>(group.Shapes[2]).Frame);
        Assert.Equal(5, Assert.IsType<Star>(group.Frame).Points);
        Assert.Equal(source.Layers, copy.Layers);
        Assert.Equal(source.Carrier, copy.Carrier);
        Assert.Equal(source.Grid, copy.Grid);
        Assert.Equal((3, "the end of it"), (copy.Version, copy.End));
    }

    [Fact]
    public void An_interface_has_classes_and_structs_as_cases()
    {
        var car = new DrawingBufferedMessage(new Drawing { Carrier = new Car { Owner = "Bob", Seats = 4 } }.ToMessageArray()).Carrier;
        var bike = new DrawingBufferedMessage(new Drawing { Carrier = new Bicycle("Ann", 21) }.ToMessageArray()).Carrier;

        Assert.Equal((VehicleCase.Car, VehicleCase.Bike), (car.Case, bike.Case));
        Assert.Equal(4, car.AsCar().Seats);
        Assert.Equal(21, bike.AsBike().Gears);
        Assert.Equal("Bob", Assert.IsType<Car>(car.ToVehicle()).Owner);
    }

    [Fact]
    public void A_root_is_a_union()
    {
        Shape source = Round;
        var view = new ShapeBufferedMessage(source.ToMessageArray());

        Assert.Equal(ShapeCase.Circle, view.Case);
        Assert.Equal(2.5, BufferedMessage.Create<ShapeBufferedMessage>(source.ToMessageArray()).AsCircle().Radius);
        Assert.Equal(source, view.ToShape());
    }

    [Fact]
    public void An_interface_is_a_root()
    {
        IVehicle source = new Bicycle("Ann", 21);
        Assert.Equal(source, new VehicleBufferedMessage(source.ToMessageArray()).ToVehicle());
    }

    [Fact]
    public void A_case_that_implements_the_union_by_a_base_is_written_as_the_union()
    {
        IHappening source = new Payment { Id = 7, By = "Ann" };
        var bytes = source.ToMessageArray();
        var view = new HappeningBufferedMessage(bytes);

        Assert.Equal(bytes.Length, source.CalculateSize());
        Assert.Equal(HappeningCase.Payment, view.Case);
        Assert.Equal((7, "Ann"), (view.AsPayment().Id, view.AsPayment().By.ToString()));
        Assert.Equal(7, new EntryBufferedMessage(((Entry)source).ToMessageArray()).Id);
    }

    [Fact]
    public void A_case_is_a_message_of_its_own_too() =>
        Assert.Equal(2.5, new CircleBufferedMessage(Round.ToMessageArray()).Radius);

    [Fact]
    public void An_object_of_an_undeclared_type_is_refused()
    {
        var drawing = new Drawing { Main = new Hexagon { Side = 3 } };
        var destination = new byte[1000];

        var failure = Assert.Throws<UndeclaredCaseException>(() => drawing.CalculateSize());
        Assert.Equal((typeof(Shape), typeof(Hexagon)), (failure.Union, failure.ObjectType));
        Assert.Contains(typeof(Hexagon).ToString(), failure.Message, StringComparison.Ordinal);
        Assert.Contains(typeof(Shape).ToString(), failure.Message, StringComparison.Ordinal);
        Assert.Throws<UndeclaredCaseException>(() => drawing.Write(destination));
    }

    [Fact]
    public void An_undeclared_type_is_refused_as_root_and_in_collections()
    {
        Shape root = new Hexagon();
        Assert.Throws<UndeclaredCaseException>(() => root.ToMessageArray());
        Assert.Throws<UndeclaredCaseException>(() => new Drawing { Layers = [Round, root] }.ToMessageArray());
        Assert.Throws<UndeclaredCaseException>(() => new Drawing { ByName = new() { ["a"] = root } }.ToMessageArray());
    }
}
