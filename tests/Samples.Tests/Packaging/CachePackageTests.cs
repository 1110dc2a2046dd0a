using System.IO.Compression;
using System.Text.Json;
using System.Xml.Linq;
using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.Samples.Tests.Packaging;

/// <summary>The package of the cache as users get it. It brings the other one, whose generator works for who references this one only.</summary>
public sealed class CachePackageTests : IDisposable
{
    private const string Caching = "src/Caching/BufferedMessages.Caching.csproj";

    private readonly PackageConsumer _consumer = new();

    public void Dispose() => _consumer.Dispose();

    [Fact]
    public async Task The_package_holds_one_assembly_and_says_what_it_depends_on()
    {
        using var package = ZipFile.OpenRead(await _consumer.PackAsync(Caching));

        Assert.Equal(
            ["lib/net10.0/BufferedMessages.Caching.dll"],
            package.Entries.Select(static entry => entry.FullName).Where(static name => name.EndsWith(".dll", StringComparison.Ordinal)));
        using var nuspec = package.GetEntry("BufferedMessages.Caching.nuspec")!.Open();
        Assert.Equal(
            ["BufferedMessages", "Microsoft.Extensions.Caching.Abstractions", "Microsoft.Extensions.Hosting.Abstractions", "Microsoft.Extensions.Options"],
            XDocument.Load(nuspec).Descendants().Where(static element => element.Name.LocalName == "dependency").Select(static element => element.Attribute("id")!.Value));
    }

    [Fact]
    public async Task A_project_outside_restores_the_package_compiles_and_finds_its_messages_in_the_next_run()
    {
        await _consumer.PackAsync("src/Runtime/BufferedMessages.csproj");
        _consumer.Write(
            await _consumer.PackAsync(Caching),
            """
            using BufferedMessages;
            using BufferedMessages.Caching;
            using Microsoft.Extensions.DependencyInjection;

            new ServiceCollection().AddDistributedMessageCache(settings => settings.Directory = "cache");

            using var cache = MessageCache.Open<string>("cache");
            System.Console.WriteLine(cache.Get<OrderBufferedMessage, string>("7", order => $"{order.Id} {order.Note}") ?? "a miss");
            cache.Set("7", new Order { Id = 7, Note = "rush" });

            [BufferedMessageSource]
            public partial class Order
            {
                public int Id { get; set; }

                public string? Note { get; set; }
            }
            """);
        CopyDependencies();

        (await _consumer.DotnetAsync("build", "--disable-build-servers", "-warnaserror")).Succeeded();

        Assert.Equal("a miss", (await _consumer.DotnetAsync("bin/Debug/net10.0/Consumer.dll")).Succeeded().LastLine);
        Assert.Equal("7 rush", (await _consumer.DotnetAsync("bin/Debug/net10.0/Consumer.dll")).Succeeded().LastLine);
    }

    // What the build of the cache has restored is where its packages are on this machine.
    private void CopyDependencies()
    {
        using var assets = JsonDocument.Parse(File.ReadAllText(Repository.PathOf("src/Caching/obj/project.assets.json")));
        var folders = assets.RootElement.GetProperty("packageFolders").EnumerateObject().Select(static folder => folder.Name).ToList();
        foreach (var library in assets.RootElement.GetProperty("libraries").EnumerateObject())
        {
            if (library.Value.GetProperty("type").GetString() == "package")
            {
                var path = library.Value.GetProperty("path").GetString()!;
                var file = path.Replace('/', '.') + ".nupkg";
                File.Copy(folders.Select(folder => Path.Combine(folder, path, file)).First(File.Exists), Path.Combine(_consumer.Feed, file));
            }
        }
    }
}
