using System.IO.Compression;
using System.Xml.Linq;
using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.Samples.Tests.Packaging;

/// <summary>The package as users get it: packed, restored from a folder into a project outside of the repository, compiled and run.</summary>
public sealed class PackageTests : IDisposable
{
    // Building takes its time when other tests keep the processors busy.
    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(5);

    private readonly TemporaryDirectory _directory = new();

    private string Feed => _directory.PathOf("feed");

    private string Consumer => _directory.PathOf("consumer");

    public void Dispose() => _directory.Dispose();

    [Fact]
    public async Task One_package_holds_runtime_generator_and_fixes_and_depends_on_nothing()
    {
        using var package = ZipFile.OpenRead(await PackAsync());

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
        var version = Path.GetFileNameWithoutExtension(await PackAsync())["BufferedMessages.".Length..];
        WriteConsumer(version);

        var build = await DotnetAsync("build", "--disable-build-servers", "-consoleLoggerParameters:NoSummary");

        build.Succeeded();
        var warning = Assert.Single(build.Lines.Distinct(StringComparer.Ordinal), static line => line.Contains("warning", StringComparison.Ordinal));
        Assert.Contains("Program.cs(9,5): warning BMSG0064: A string is made of 'order.Note' only to compare it", warning, StringComparison.Ordinal);
        Assert.Equal("7 rush True", (await DotnetAsync("bin/Debug/net10.0/Consumer.dll")).Succeeded().LastLine);
    }

    private async Task<string> PackAsync()
    {
        using var pack = SampleProcess.StartDotnet(
            "pack", "src/Runtime/BufferedMessages.csproj", "--no-build", "--configuration", Repository.Configuration, "--output", Feed, "--disable-build-servers");
        (await pack.WaitAsync(Limit)).Succeeded();
        return Assert.Single(Directory.GetFiles(Feed));
    }

    private async Task<SampleResult> DotnetAsync(params string[] arguments)
    {
        using var process = SampleProcess.StartDotnetIn(Consumer, arguments);
        return await process.WaitAsync(Limit);
    }

    // Packages come from the folder only, and go to a folder of their own: the user's cache may have the same version of another build.
    private void WriteConsumer(string version)
    {
        Directory.CreateDirectory(Consumer);
        File.WriteAllText(
            Path.Combine(Consumer, "nuget.config"),
            """
            <configuration>
              <packageSources>
                <clear />
                <add key="feed" value="../feed" />
              </packageSources>
            </configuration>
            """);
        File.WriteAllText(
            Path.Combine(Consumer, "Consumer.csproj"),
            $"""
            <Project Sdk="Microsoft.NET.Sdk">
              <PropertyGroup>
                <OutputType>Exe</OutputType>
                <TargetFramework>net10.0</TargetFramework>
                <Nullable>enable</Nullable>
                <UseAppHost>false</UseAppHost>
                <RestorePackagesPath>packages</RestorePackagesPath>
              </PropertyGroup>
              <ItemGroup>
                <PackageReference Include="BufferedMessages" Version="{version}" />
              </ItemGroup>
            </Project>
            """);
        File.WriteAllText(
            Path.Combine(Consumer, "Program.cs"),
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
    }
}
