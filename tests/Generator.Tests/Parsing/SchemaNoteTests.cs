using BufferedMessages.Generator.Model;
using BufferedMessages.Generator.Parsing;
using BufferedMessages.TestKit;
using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Tests;

/// <summary>The notes of the schema text: names for programs without the C# types.</summary>
public class SchemaNoteTests
{
    [Theory]
    [InlineData("public enum E { }", "#enum")]
    [InlineData("public enum E { A, B = 7, Same = B, @class }", "#enum A=0 B=7 Same=7 class=8")]
    [InlineData("public enum E : long { Least = long.MinValue, Most = long.MaxValue }", "#enum Least=-9223372036854775808 Most=9223372036854775807")]
    [InlineData("public enum E : ulong { Most = ulong.MaxValue }", "#enum Most=18446744073709551615")]
    [InlineData("public struct E { public int A; public static int B; public const int C = 1; public E2 D; } public struct E2 { public int A { get; set; } }", "#fields A D.A")]
    [InlineData("public unsafe struct E { public fixed byte A[4]; public Half B; } public enum Half : byte { No, Yes }", "#fields A B", "#enum No=0 Yes=1")]
    [InlineData("[System.Runtime.CompilerServices.InlineArray(4)] public struct E { private Half _first; } public enum Half : byte { No, Yes }", "#fields", "#enum No=0 Yes=1")]
    public void Names_are_listed(string source, params string[] notes) => Assert.Equal(notes, NotesOf(source));

    [Fact]
    public void A_property_of_a_struct_of_another_assembly_is_listed_by_its_name()
    {
        var library = SourceProject.Of("public record struct Size(int X, int Y) { public long Area { get; set; } private byte _unit; }", new ProjectOptions { AssemblyName = "Sizes" });
        var compilation = SourceProject.Of([new SourceFile("Empty.cs", "")], new ProjectOptions(), MetadataReference.CreateFromImage(library.Generate().Emit())).Compilation;

        Assert.Equal(["#fields X Y Area _unit"], NotesOf(compilation, "Size"));
    }

    [Theory]
    [InlineData(64, true)]
    [InlineData(65, false)]
    public void A_note_of_more_than_64_names_has_none(int count, bool hasNames)
    {
        var members = Enumerable.Range(0, count).Select(static i => FormattableString.Invariant($"M{i}")).ToList();

        Assert.Equal(hasNames, Assert.Single(NotesOf($"public enum E {{ {string.Join(", ", members)} }}")).Contains(" M1=1 ", StringComparison.Ordinal));
        Assert.Equal(hasNames, Assert.Single(NotesOf($"public struct E {{ public byte {string.Join(", ", members)}; }}")).Contains(" M1 ", StringComparison.Ordinal));
    }

    private static EquatableArray<string> NotesOf(string source) => NotesOf(SourceProject.Of(source).Compilation, "E");

    private static EquatableArray<string> NotesOf(Compilation compilation, string type) =>
        Assert.IsType<ValueKind>(new KindParser(compilation).Parse(compilation.GetTypeByMetadataName(type)!).Kind).Notes;
}
