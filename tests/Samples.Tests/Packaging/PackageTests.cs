using System.IO.Compression;
using System.Xml.Linq;

namespace BufferedMessages.Samples.Tests.Packaging;

/// <summary>The package as users get it: packed, restored from a folder into a project outside of the repository, compiled and run.</summary>
public sealed class PackageTests : IDisposable
{
    private const string Runtime = "src/Runtime/BufferedMessages.csproj";

    private readonly PackageConsumer _consumer = new();

    public void Dispose() => _consumer.Dispose();

    [Fact]
    public async Task One_package_holds_runtime_generator_and_fixes_and_depends_on_nothing()
    {
        using var package = ZipFile.OpenRead(await _consumer.PackAsync(Runtime));

        Assert.Equal(
            [
                "analyzers/dotnet/cs/BufferedMessages.CodeFixes.dll",
                "analyzers/dotnet/cs/BufferedMessages.Generator.dll",
                "lib/net10.0/BufferedMessages.dll",
            ],
            package.Entries.Select(static entry => entry.FullName).Where(static name => name.EndsWith(".dll", StringComparison.Ordinal)).Order(StringComparer.Ordinal));
        using var nuspec = package.GetEntry("BufferedMessages.nuspec")!.Open();
        Assert.DoesNotContain(XDocument.Load(nuspec).Descendants(), static element => element.Name.LocalName == "dependency");
    }

    [Fact]
    public async Task A_project_outside_restores_the_package_compiles_runs_and_is_warned()
    {
        _consumer.Write(
            await _consumer.PackAsync(Runtime),
            """
            using BufferedMessages;

            var message = new Order { Id = 7, Note = "rush" }.ToMessageArray();
            System.Console.WriteLine(Show(BufferedMessage.Create<OrderBufferedMessage>(message)));

            static string Show(OrderBufferedMessage order) => $"{order.Id} {order.Note} {IsRush(order)}";

            static bool IsRush(OrderBufferedMessage order) =>
                order.Note.ToString() == "rush";

            [BufferedMessageSource]
            public partial class Order
            {
                public int Id { get; set; }

                public string? Note { get; set; }
            }
            """);

        var build = await _consumer.DotnetAsync("build", "--disable-build-servers", "-consoleLoggerParameters:NoSummary");

        build.Succeeded();
        var warning = Assert.Single(build.Lines.Distinct(StringComparer.Ordinal), static line => line.Contains("warning", StringComparison.Ordinal));
        Assert.Contains("Program.cs(9,5): warning BMSG0064: A string is created from 'order.Note' only for a comparison", warning, StringComparison.Ordinal);
        Assert.Equal("7 rush True", (await _consumer.DotnetAsync("bin/Debug/net10.0/Consumer.dll")).Succeeded().LastLine);
    }

    [Fact]
    public async Task A_package_that_lacks_a_type_of_the_baseline_is_not_packed()
    {
        var pack = await _consumer.PackAgainstAsync(Runtime, "src/Caching/PublicAPI.Baseline.nupkg");

        Assert.NotEqual(0, pack.ExitCode);
        Assert.Contains(pack.Lines, static line => line.Contains("error CP0001: Type 'BufferedMessages.Caching.MessageCache'", StringComparison.Ordinal));
    }
}
