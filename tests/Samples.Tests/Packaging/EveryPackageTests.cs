using System.Xml.Linq;
using BufferedMessages.Samples.Tests.Running;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BufferedMessages.Samples.Tests.Packaging;

/// <summary>A program outside of the repository that uses every library: compiled, trimmed and native.</summary>
public sealed class EveryPackageTests : IDisposable
{
    private static readonly string[] Libraries = [.. PackageFeed.Ids.Except(["BufferedMessages.Templates", "BufferedMessages.Tool"])];

    private readonly PackageConsumer _consumer = new();

    public void Dispose() => _consumer.Dispose();

    [Fact]
    public async Task The_examples_on_the_pages_of_the_packages_compile()
    {
        await WriteAsync("<OutputType>Library</OutputType>");
        var examples = Libraries.SelectMany(ExamplesOf).ToList();
        for (var number = 0; number < examples.Count; number++)
        {
            _consumer.Write($"Example{number}.cs", AsMethod(examples[number], number));
        }

        Assert.True(examples.Count > Libraries.Length);
        (await _consumer.DotnetAsync("build", "-warnaserror")).Succeeded();
    }

    [LinuxFact]
    public async Task A_trimmed_program_uses_every_library() =>
        await PublishAndRunAsync("<PublishTrimmed>true</PublishTrimmed>");

    [ProgramFact("gcc")]
    public async Task A_native_program_uses_every_library() =>
        await PublishAndRunAsync("<PublishAot>true</PublishAot><CppCompilerAndLinker>gcc</CppCompilerAndLinker>");

    private async Task PublishAndRunAsync(string kind)
    {
        // Symbols for a debugger are not asked for: the compiler of native code would take longer.
        await WriteAsync($"<RuntimeIdentifier>linux-x64</RuntimeIdentifier><SelfContained>true</SelfContained><TrimmerSingleWarn>false</TrimmerSingleWarn><InvariantGlobalization>true</InvariantGlobalization><DebugType>none</DebugType>{kind}");
        _consumer.Write("Program.cs", Repository.Read("tests/Samples.Tests/Packaging/EveryPackage.txt"));

        var publish = (await _consumer.DotnetAsync("publish", "--output", "out")).Succeeded();

        Assert.DoesNotContain(publish.Lines, static line => line.Contains("warning IL", StringComparison.Ordinal) && line.Contains("BufferedMessages.", StringComparison.Ordinal));
        var first = await RunAsync();
        Assert.Equal(["queue 7 rush example.org", "cache a miss", "handler 8 slow", "responses 3 True", "bridges False False"], first);
        Assert.Contains("cache 7 rush", await RunAsync());
    }

    private async Task<string[]> RunAsync()
    {
        using var process = SampleProcess.StartProgramIn(_consumer.PathOf(""), _consumer.PathOf("out/Consumer"));
        var result = await process.WaitAsync();
        return [.. result.Succeeded().Lines.Where(static line => line.Split(' ')[0] is "queue" or "cache" or "handler" or "responses" or "bridges")];
    }

    private async Task WriteAsync(string properties)
    {
        await _consumer.WriteFeedAsync();
        var hosting = XDocument.Parse(Repository.Read("Directory.Packages.props")).Descendants("PackageVersion").Single(static version => version.Attribute("Include")!.Value == "Microsoft.Extensions.Hosting").Attribute("Version")!.Value;
        _consumer.Write(
            "Consumer.csproj",
            PackageConsumer.ProjectOf(
                properties,
                [.. Libraries.Select(static id => $"""<PackageReference Include="{id}" Version="{PackageFeed.Version}" />"""), $"""<PackageReference Include="Microsoft.Extensions.Hosting" Version="{hosting}" />"""]));
    }

    private static IEnumerable<string> ExamplesOf(string id)
    {
        var folder = id == "BufferedMessages" ? "Runtime" : id["BufferedMessages.".Length..];
        return Repository.Read($"src/{folder}/README.md").Split("```csharp\n").Skip(1).Select(static part => part.Split("```")[0]);
    }

    // Several programs in one project: the statements of each become a method, and its types get a namespace.
    private static string AsMethod(string example, int number)
    {
        var program = CSharpSyntaxTree.ParseText(example).GetCompilationUnitRoot();
        var statements = program.Members.OfType<GlobalStatementSyntax>();
        return $$"""
            {{program.Usings.ToFullString()}}
            namespace Example{{number}};

            internal static class Program
            {
                public static async Task RunAsync(string[] args)
                {
                    await Task.CompletedTask;
                    {{string.Concat(statements.Select(static statement => statement.ToFullString()))}}
                }
            }

            {{string.Concat(program.Members.Where(static member => member is not GlobalStatementSyntax).Select(static member => member.ToFullString()))}}
            """;
    }
}
