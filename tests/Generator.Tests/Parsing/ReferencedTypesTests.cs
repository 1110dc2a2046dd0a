using System.Reflection;
using System.Runtime.Loader;
using BufferedMessages.Generator.Layout;
using BufferedMessages.TestKit;
using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Tests;

/// <summary>Sources and unions of a referenced project are members of messages here: their code is in their own assembly.</summary>
public sealed class ReferencedTypesTests
{
    private const string Library =
        """
        namespace Shapes;

        [BufferedMessageUnion(ViewName = "ShapeView", CaseName = "KindOfShape")]
        [BufferedCase<Circle>(1)]
        [BufferedCase<Square>(2, Name = "Box")]
        public partial interface IShape;

        [BufferedMessageSource(GenerateWriter = true)]
        public sealed partial class Circle : IShape
        {
            public string? Label { get; set; }
            public double Radius { get; set; }
        }

        [BufferedMessageSource(GenerateWriter = true)]
        public readonly partial record struct Square(int Side) : IShape;

        [BufferedMessageUnion]
        [BufferedCase<Dog>(1)]
        public abstract partial class Animal
        {
            public string? Name { get; set; }
        }

        [BufferedMessageSource]
        public partial class Dog : Animal
        {
            public int Age { get; set; }
        }
        """;

    private const string Program =
        """
        using Shapes;

        namespace Shop;

        [BufferedMessageSource(GenerateWriter = true)]
        public sealed partial class Drawing
        {
            public IShape? Main { get; set; }
            public List<IShape?>? Layers { get; set; }
            public Dictionary<string, IShape>? ByName { get; set; }
            public Animal? Pet { get; set; }
            public Circle? Center { get; set; }
            public List<Circle>? Circles { get; set; }
            public Square[]? Squares { get; set; }
            public int Version { get; set; }
        }

        /// <summary>A source here that derives from a source, and so from a union, of the other project: it is not a case of that union.</summary>
        [BufferedMessageSource]
        public sealed partial class Puppy : Dog
        {
            public int Weeks { get; set; }
        }

        public static class Check
        {
            public static Drawing Make() => new()
            {
                Main = new Circle { Label = "the round one", Radius = 2.5 },
                Layers = [new Square(3), null],
                ByName = new() { ["a name of some length"] = new Square(4) },
                Pet = new Dog { Name = "Rex", Age = 5 },
                Center = new Circle { Label = "the one in the center", Radius = 1 },
                Circles = [new Circle { Label = "the first circle", Radius = 7 }, new Circle { Radius = 8 }],
                Squares = [new Square(9)],
                Version = 2,
            };

            public static int WriteInPlace(byte[] destination)
            {
                using var builder = new MessageBuilder<DrawingBufferedMessageWriter>(destination);
                var drawing = builder.Message;
                drawing.Version = 2;
                drawing.WriteMain(new Circle { Label = "the round one", Radius = 2.5 });
                drawing.WriteLayers([new Square(3), null]);
                drawing.WriteByName(new() { ["a name of some length"] = new Square(4) });
                drawing.WritePet(new Dog { Name = "Rex", Age = 5 });
                var center = drawing.WriteCenter();
                center.WriteLabel("the one in the center");
                center.Radius = 1;
                var circles = drawing.WriteCircles(2);
                var circle = circles[0];
                circle.Radius = 7;
                circle.WriteLabel("the first circle"u8);
                circle = circles[1];
                circle.Radius = 8;
                var square = drawing.WriteSquares(1)[0];
                square.Side = 9;
                return builder.Finish();
            }

            public static string Read(byte[] message)
            {
                var view = new DrawingBufferedMessage(message);
                return $"{view.Main.Case} {view.Main.AsCircle().Label}, {view.Layers[0].AsBox().Side} {view.Layers[1].IsNull}, "
                    + $"{view.ByName["a name of some length"].Case == KindOfShape.Box}, {view.Pet.AsDog().Name}, {view.Center.Radius}, {view.Circles[1].Radius}, {view.Squares[0].Side}";
            }

            public static string ReadPuppy(byte[] message) => new PuppyBufferedMessage(message).ToPuppy() is var puppy ? $"{puppy.Name} {puppy.Age} {puppy.Weeks}" : "";

            public static Puppy MakePuppy() => new() { Name = "Rex", Age = 1, Weeks = 9 };
        }
        """;

    private static readonly GeneratedProject GeneratedLibrary = SourceProject.Of(Library, new ProjectOptions { AssemblyName = "Shapes" }).Generate();

    private static readonly SourceProject Project = SourceProject.Of(
        [new SourceFile("Program.cs", Program)],
        new ProjectOptions(),
        MetadataReference.CreateFromImage(GeneratedLibrary.Emit()));

    private static readonly Lazy<Type> Check = new(Load);

    [Fact]
    public async Task They_compile_without_a_word()
    {
        Assert.Empty(Project.Generate().Problems);
        Assert.Empty(await AnalyzerTests.Analyze(Project));
    }

    // The compiler takes the type of the file, and warns at each of its names. Those in the file are for its author; generated code has none.
    [Fact]
    public void Generated_code_for_a_file_that_both_projects_compile_has_no_warnings()
    {
        var linked = SourceProject.Of([new SourceFile("Linked.cs", Library)], new ProjectOptions(), MetadataReference.CreateFromImage(GeneratedLibrary.Emit()));

        Assert.All(linked.Generate().Problems, static problem => Assert.Equal(("CS0436", "Linked.cs"), (problem.Id, problem.Location.SourceTree!.FilePath)));
    }

    [Fact]
    public void They_are_read_by_their_own_views() =>
        Assert.Equal("Circle the round one, 3 True, True, Rex, 1, 8, 9", Call("Read", GeneratedSource.Write(Call("Make")!)));

    [Fact]
    public void They_are_copied()
    {
        var message = GeneratedSource.Write(Call("Make")!);
        Assert.Equal(message, GeneratedSource.Write(GeneratedSource.Read(Call("Make")!.GetType(), message)));
    }

    [Fact]
    public void They_are_written_in_place_to_the_same_bytes()
    {
        var destination = new byte[1000];
        var length = (int)Call("WriteInPlace", destination)!;
        Assert.Equal(GeneratedSource.Write(Call("Make")!), destination[..length]);
    }

    [Fact]
    public void Their_schemas_are_in_that_of_the_message()
    {
        var schema = GeneratedSource.Schema(Check.Value.Assembly, "Shop.Drawing").Text;

        Assert.Contains("\n0 union(Shapes.IShape) Main\n", schema, StringComparison.Ordinal);
        Assert.Contains("\nunion Shapes.IShape\n1 message(Shapes.Circle) Circle\n2 message(Shapes.Square) Box\n", schema, StringComparison.Ordinal);
        Assert.Contains("\nmessage Shapes.Dog\n0 string Name\n1 i32 Age\n", schema, StringComparison.Ordinal);
    }

    [Fact]
    public void A_source_can_derive_from_a_case_over_there() =>
        Assert.Equal("Rex 1 9", Call("ReadPuppy", GeneratedSource.Write(Call("MakePuppy")!)));

    [Fact]
    public async Task A_source_can_derive_from_a_source_over_there_that_lists_its_members()
    {
        var library = SourceProject.Of(
            """
            [BufferedMessageSource] public partial class Pair : IEnumerable<int>
            {
                public int A { get; set; }
                public int B { get; set; }
                public IEnumerator<int> GetEnumerator() { yield return A; yield return B; }
                System.Collections.IEnumerator System.Collections.IEnumerable.GetEnumerator() => GetEnumerator();
            }
            """,
            new ProjectOptions { AssemblyName = "Pairs" });
        var project = SourceProject.Of(
            [new SourceFile("Triple.cs", "[BufferedMessageSource] public partial class Triple : Pair { public int C { get; set; } }")],
            new ProjectOptions(),
            MetadataReference.CreateFromImage(library.Generate().Emit()));

        Assert.Empty(await AnalyzerTests.Analyze(project));
        Assert.Equal(["A", "B", "C"], Assert.Single(Parsed.Messages(project.Compilation)).Members.Select(static member => member.Name));
    }

    [Fact]
    public void The_order_of_members_of_a_base_over_there_does_not_depend_on_the_kind_of_reference()
    {
        var library = SourceProject.Of(
            "public class Basis { public int A { get; set; } public int B; public int C { get; init; } public int D; }", new ProjectOptions { AssemblyName = "Basics" });

        Assert.All(new MetadataReference[] { library.Compilation.ToMetadataReference(), MetadataReference.CreateFromImage(library.Generate().Emit()) }, static reference =>
        {
            var project = SourceProject.Of(
                [new SourceFile("Order.cs", "[BufferedMessageSource] public partial class Order : Basis { public int E { get; set; } public int F; }")], new ProjectOptions(), reference);

            Assert.Equal(["B", "D", "A", "C", "E", "F"], Assert.Single(Parsed.Messages(project.Compilation)).Members.Select(static member => member.Name));
        });
    }

    private static object? Call(string method, params object[] arguments) =>
        Check.Value.GetMethod(method)!.Invoke(null, BindingFlags.DoNotWrapExceptions, binder: null, arguments, culture: null);

    private static Type Load()
    {
        var context = new AssemblyLoadContext("Referenced", isCollectible: true);
        using var library = new MemoryStream(GeneratedLibrary.Emit());
        context.LoadFromStream(library);
        using var program = new MemoryStream(Project.Generate().Emit());
        return context.LoadFromStream(program).GetType("Shop.Check", throwOnError: true)!;
    }
}
