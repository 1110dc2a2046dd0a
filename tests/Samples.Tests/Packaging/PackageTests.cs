using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.Samples.Tests.Packaging;

/// <summary>The packages as users get them: restored from a folder into a project outside of the repository, compiled and run.</summary>
public sealed class PackageTests : IDisposable
{
    private readonly PackageConsumer _consumer = new();

    public void Dispose() => _consumer.Dispose();

    [Fact]
    public async Task A_project_outside_restores_the_package_compiles_runs_and_is_warned()
    {
        await _consumer.WriteProgramAsync(
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
            """,
            "BufferedMessages");

        var build = await _consumer.DotnetAsync("build", "-consoleLoggerParameters:NoSummary");

        build.Succeeded();
        var warning = Assert.Single(build.Lines.Distinct(StringComparer.Ordinal), static line => line.Contains("warning", StringComparison.Ordinal));
        Assert.Contains("Program.cs(9,5): warning BMSG0064: A string is created from 'order.Note' only for a comparison", warning, StringComparison.Ordinal);
        Assert.Equal("7 rush True", (await _consumer.DotnetAsync("bin/Debug/net10.0/Consumer.dll")).Succeeded().LastLine);
    }

    [Fact]
    public async Task A_program_in_FSharp_reads_values_raw_bytes_and_the_views_of_a_library_in_CSharp()
    {
        await _consumer.WriteFeedAsync();
        _consumer.Write(
            "Messages/Messages.csproj",
            PackageConsumer.ProjectOf("<OutputType>Library</OutputType>", $"""<PackageReference Include="BufferedMessages" Version="{PackageFeed.Version}" />"""));
        _consumer.Write(
            "Messages/Order.cs",
            """
            using BufferedMessages;

            namespace Messages;

            [BufferedMessageSource]
            public partial record Order(int Id, string? Note);
            """);
        _consumer.Write(
            "Shop/Shop.fsproj",
            PackageConsumer.ProjectOf(
                "<UseAppHost>false</UseAppHost>",
                """<Compile Include="Program.fs" />""",
                """<PackageReference Update="FSharp.Core" Version="10.0.111" />""",
                """<ProjectReference Include="../Messages/Messages.csproj" />"""));
        _consumer.Write("Shop/Program.fs", Repository.Read("tests/Samples.Tests/Packaging/Shop.fs"));

        (await _consumer.DotnetAsync("build", "Shop")).Succeeded();

        Assert.Equal(["7 1.5", "hello", "7 rush"], (await _consumer.DotnetAsync("Shop/bin/Debug/net10.0/Shop.dll")).Succeeded().Lines);
    }

    [Fact]
    public async Task A_package_that_lacks_a_type_of_the_baseline_is_not_packed()
    {
        using var directory = new TemporaryDirectory();
        // It was not there when the package was packed last, so it is compared.
        var baseline = directory.PathOf("baseline.nupkg");
        File.WriteAllBytes(baseline, File.ReadAllBytes(Repository.PathOf("src/Caching/PublicAPI.Baseline.nupkg")));

        var pack = await PackageFeed.PackAsync("src/Runtime/BufferedMessages.csproj", directory.Path, $"-p:PackageValidationBaselinePath={baseline}");

        Assert.NotEqual(0, pack.ExitCode);
        Assert.Contains(pack.Lines, static line => line.Contains("error CP0001: Type 'BufferedMessages.Caching.MessageCache'", StringComparison.Ordinal));
    }
}
