using System.IO.Compression;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.Samples.Tests.Packaging;

/// <summary>What a registry and its users see of each package.</summary>
public partial class PackageContentTests
{
    public static TheoryData<string> Packages => [.. PackageFeed.Ids];

    public static TheoryData<string> Libraries => [.. PackageFeed.Ids.Except(["BufferedMessages.Templates", "BufferedMessages.Tool"])];

    [Fact]
    public async Task All_packages_are_packed_and_no_others() =>
        Assert.Equal(
            PackageFeed.Ids.Select(static id => $"{id}.{PackageFeed.Version}.nupkg"),
            Directory.GetFiles(await PackageFeed.GetFolderAsync(), "*.nupkg").Select(Path.GetFileName).Order(StringComparer.Ordinal));

    [Fact]
    public async Task The_package_of_the_runtime_holds_generator_and_fixes_and_depends_on_nothing()
    {
        using var package = await PackageFeed.OpenAsync("BufferedMessages");

        Assert.Equal(
            ["analyzers/dotnet/cs/BufferedMessages.CodeFixes.dll", "analyzers/dotnet/cs/BufferedMessages.Generator.dll", "lib/net10.0/BufferedMessages.dll"],
            NamesOf(package, ".dll").Where(static name => !name.StartsWith("runtimes/", StringComparison.Ordinal)));
        Assert.Empty(Elements(package, "dependency"));
    }

    [Fact]
    public async Task The_package_of_the_cache_says_what_it_depends_on()
    {
        using var package = await PackageFeed.OpenAsync("BufferedMessages.Caching");

        Assert.Equal(
            ["BufferedMessages", "Microsoft.Extensions.Caching.Abstractions", "Microsoft.Extensions.Hosting.Abstractions", "Microsoft.Extensions.Options"],
            Elements(package, "dependency").Select(static element => element.Attribute("id")!.Value));
    }

    [Theory]
    [MemberData(nameof(Libraries))]
    public async Task A_package_that_uses_internals_of_another_depends_on_exactly_its_version(string id)
    {
        using var package = await PackageFeed.OpenAsync(id);
        foreach (var dependency in Elements(package, "dependency").Where(static element => PackageFeed.Ids.Contains(element.Attribute("id")!.Value)))
        {
            var project = Repository.Files("src", $"{dependency.Attribute("id")!.Value}.csproj").Single();
            var isExact = (await File.ReadAllTextAsync(project)).Contains($"<InternalsVisibleTo Include=\"{id}\" />", StringComparison.Ordinal);
            Assert.Equal(isExact ? $"[{PackageFeed.Version}]" : PackageFeed.Version, dependency.Attribute("version")!.Value);
        }
    }

    [Fact]
    public async Task Only_the_package_of_output_caching_needs_the_framework_of_servers()
    {
        foreach (var id in PackageFeed.Ids.Except(["BufferedMessages.Tool"]))
        {
            using var package = await PackageFeed.OpenAsync(id);
            string[] expected = id == "BufferedMessages.Caching.AspNetCore" ? ["Microsoft.AspNetCore.App"] : [];
            Assert.Equal(expected, Elements(package, "frameworkReference").Select(static element => element.Attribute("name")!.Value));
        }

        using var output = await PackageFeed.OpenAsync("BufferedMessages.Caching.AspNetCore");
        Assert.Equal(["BufferedMessages.Caching"], Elements(output, "dependency").Select(static element => element.Attribute("id")!.Value));
    }

    [Theory]
    [MemberData(nameof(Packages))]
    public async Task A_package_says_what_it_is_and_where_it_comes_from(string id)
    {
        using var package = await PackageFeed.OpenAsync(id);

        Assert.Equal("MIT", Value(package, "license"));
        Assert.Equal("README.md", Value(package, "readme"));
        Assert.Equal("icon.png", Value(package, "icon"));
        Assert.NotNull(package.GetEntry("icon.png"));
        Assert.True(Value(package, "tags").Split(' ').Length > 3);
        Assert.StartsWith(PackageFeed.Address, Value(package, "projectUrl"), StringComparison.Ordinal);
        Assert.Equal(PackageFeed.Address, Elements(package, "repository").Single().Attribute("url")!.Value);
        Assert.EndsWith($"{PackageFeed.Address}/blob/main/CHANGELOG.md", Value(package, "releaseNotes"), StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Packages))]
    public async Task The_page_of_a_package_has_links_that_work_outside_of_the_repository(string id)
    {
        using var package = await PackageFeed.OpenAsync(id);
        var page = PageOf(package);

        Assert.StartsWith($"# {id}\n", page, StringComparison.Ordinal);
        Assert.Contains(id.EndsWith("Templates", StringComparison.Ordinal) ? "dotnet new install" : id.EndsWith("Tool", StringComparison.Ordinal) ? "dotnet tool install" : "dotnet add package", page, StringComparison.Ordinal);
        var links = Link().Matches(page).Select(static match => match.Groups["target"].Value).ToList();
        Assert.NotEmpty(links);
        Assert.All(links, static link =>
        {
            const string Files = $"{PackageFeed.Address}/blob/main/";
            Assert.StartsWith(Files, link, StringComparison.Ordinal);
            Assert.True(File.Exists(Repository.PathOf(link[Files.Length..].Split('#')[0])), link);
        });
    }

    [Fact]
    public async Task Without_an_address_the_page_of_a_package_has_no_links()
    {
        using var directory = new TemporaryDirectory();

        (await PackageFeed.PackAsync("templates/BufferedMessages.Templates.csproj", directory.Path, "-p:ProjectAddress=")).Succeeded();

        using var package = ZipFile.OpenRead(directory.PathOf($"BufferedMessages.Templates.{PackageFeed.Version}.nupkg"));
        Assert.Contains("\n- Hosting: ", PageOf(package), StringComparison.Ordinal);
        Assert.DoesNotContain("](", PageOf(package), StringComparison.Ordinal);
        Assert.Empty(Elements(package, "projectUrl"));
    }

    [Theory]
    [MemberData(nameof(Libraries))]
    public async Task A_library_has_documentation_and_a_package_of_symbols(string id)
    {
        using var package = await PackageFeed.OpenAsync(id);
        using var symbols = ZipFile.OpenRead(Path.Combine(await PackageFeed.GetFolderAsync(), $"{id}.{PackageFeed.Version}.snupkg"));

        Assert.NotNull(package.GetEntry($"lib/net10.0/{id}.xml"));
        Assert.Equal([$"lib/net10.0/{id}.pdb"], NamesOf(symbols, ".pdb"));
    }

    private static IEnumerable<string> NamesOf(ZipArchive package, string ending) =>
        package.Entries.Select(static entry => entry.FullName).Where(name => name.EndsWith(ending, StringComparison.Ordinal)).Order(StringComparer.Ordinal);

    private static IEnumerable<XElement> Elements(ZipArchive package, string name) =>
        PackageFeed.DescriptionOf(package).Descendants().Where(element => element.Name.LocalName == name);

    private static string Value(ZipArchive package, string name) => Assert.Single(Elements(package, name)).Value;

    private static string PageOf(ZipArchive package)
    {
        using var page = new StreamReader(package.GetEntry("README.md")!.Open());
        return page.ReadToEnd().ReplaceLineEndings("\n");
    }

    [GeneratedRegex(@"\]\((?<target>[^)\s]+)\)", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 60_000)]
    private static partial Regex Link();
}
