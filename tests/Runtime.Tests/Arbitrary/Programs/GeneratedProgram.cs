using System.Reflection;
using System.Runtime.Loader;
using BufferedMessages.TestKit;
using Microsoft.CodeAnalysis;

namespace BufferedMessages.Runtime.Tests.Arbitrary;

/// <summary>Compiles a program with the code that the generator makes for it, and loads it beside the tests.</summary>
internal static class GeneratedProgram
{
    public static Assembly Load(string source)
    {
        var tests = typeof(GeneratedProgram).Assembly;
        var project = SourceProject.Of(
            [new SourceFile("Arbitrary.cs", source)],
            new ProjectOptions { AssemblyName = "Arbitrary", Documentation = false, Nullable = false },
            MetadataReference.CreateFromFile(tests.Location));
        using var assembly = new MemoryStream(project.Generate().Emit());
        return AssemblyLoadContext.GetLoadContext(tests)!.LoadFromStream(assembly);
    }
}
