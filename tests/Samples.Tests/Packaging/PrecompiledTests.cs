using System.Globalization;
using System.IO.Compression;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;
using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.Samples.Tests.Packaging;

/// <summary>Precompiled code in packages: where it is packed, and which programs run it.</summary>
public sealed class PrecompiledTests : IDisposable
{
    private const string PrecompiledSystem = "linux-x64";

    // Without precompiled code, opening a queue compiles more than 150.
    private const int MostCompiledMethods = 80;
    private const int MostAttempts = 50;

    private readonly PackageConsumer _consumer = new();

    public void Dispose() => _consumer.Dispose();

    [PrecompiledFact]
    public async Task Packages_hold_precompiled_code_of_the_same_assembly_beside_the_portable_one()
    {
        foreach (var id in new[] { "BufferedMessages", "BufferedMessages.Caching", "BufferedMessages.Hosting" })
        {
            using var package = await PackageFeed.OpenAsync(id);
            using var portable = Read(package, $"lib/net10.0/{id}.dll");
            using var precompiled = Read(package, $"runtimes/{PrecompiledSystem}/lib/net10.0/{id}.dll");

            Assert.False(IsPrecompiled(portable), id);
            Assert.True(IsPrecompiled(precompiled), id);
            Assert.Equal(VersionOf(portable), VersionOf(precompiled));
        }
    }

    [PrecompiledFact]
    public async Task Without_precompiled_code_a_package_has_the_portable_assembly_alone()
    {
        using var directory = new TemporaryDirectory();

        (await PackageFeed.PackAsync("src/Hosting/BufferedMessages.Hosting.csproj", directory.Path, "-p:Precompile=false")).Succeeded();

        using var package = ZipFile.OpenRead(directory.PathOf($"BufferedMessages.Hosting.{PackageFeed.Version}.nupkg"));
        Assert.Equal("lib/net10.0/BufferedMessages.Hosting.dll", Assert.Single(package.Entries, static entry => entry.FullName.EndsWith(".dll", StringComparison.Ordinal)).FullName);
    }

    [PrecompiledFact]
    public async Task A_compiler_that_cannot_be_restored_leaves_the_portable_assembly_and_a_message()
    {
        using var directory = new TemporaryDirectory();

        var pack = (await PackageFeed.PackAsync("src/Hosting/BufferedMessages.Hosting.csproj", directory.Path, "-p:PrecompilerVersion=10.0.0-none")).Succeeded();

        Assert.Contains(pack.Lines, static line => line.Contains("BufferedMessages.Hosting is packed without precompiled code", StringComparison.Ordinal));
        using var package = ZipFile.OpenRead(directory.PathOf($"BufferedMessages.Hosting.{PackageFeed.Version}.nupkg"));
        Assert.DoesNotContain(package.Entries, static entry => entry.FullName.StartsWith("runtimes/", StringComparison.Ordinal));
    }

    [PrecompiledFact]
    public async Task A_portable_program_runs_the_precompiled_code_of_its_system()
    {
        await WriteProgramAsync();
        (await _consumer.DotnetAsync("build", "-p:RunAnalyzers=false")).Succeeded();

        // The instruments, which load them too, are there fifty milliseconds after the first participant: on a busy machine that may be before the program looks.
        const string Fast = "culture False LINQ False threads False";
        string[] lines = [];
        for (var attempt = 0; attempt < MostAttempts && (lines is [] || lines[2] != Fast); attempt++)
        {
            lines = [.. (await _consumer.DotnetAsync("bin/Debug/net10.0/Consumer.dll", _consumer.PathOf($"queue{attempt}"))).Succeeded().Lines];
        }

        Assert.EndsWith($"runtimes/{PrecompiledSystem}/lib/net10.0/BufferedMessages.dll", lines[0], StringComparison.Ordinal);
        Assert.InRange(int.Parse(lines[1], CultureInfo.InvariantCulture), 0, MostCompiledMethods);
        Assert.Equal(Fast, lines[2]);
    }

    [PrecompiledFact]
    public async Task A_program_for_one_system_gets_the_precompiled_code_of_that_system_alone()
    {
        await WriteProgramAsync();
        foreach (var (system, isPrecompiled) in new[] { (PrecompiledSystem, true), ("linux-arm64", false) })
        {
            (await _consumer.DotnetAsync("build", "--runtime", system, "--no-self-contained", "-p:RunAnalyzers=false")).Succeeded();

            using var assembly = new PEReader(File.OpenRead(_consumer.PathOf($"bin/Debug/net10.0/{system}/BufferedMessages.dll")));
            Assert.Equal(isPrecompiled, IsPrecompiled(assembly));
        }
    }

    // It says where the library is, how many methods the runtime compiled to open a queue, and which slow parts of the runtime are loaded when the first message was published and read.
    private Task WriteProgramAsync() => _consumer.WriteProgramAsync(
        """
        using BufferedMessages;

        // By this thread: another one compiles what was called often again, if the process is so slow.
        var compiled = System.Runtime.JitInfo.GetCompiledMethodCount(currentThread: true);
        using var queue = MessageQueue.Open(args[0]);
        compiled = System.Runtime.JitInfo.GetCompiledMethodCount(currentThread: true) - compiled;
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        producer.Publish("first"u8);
        if (consumer.TryRead(out var delivery))
        {
            delivery.Commit();
        }

        // A culture loads ICU.
        var hasCulture = System.IO.File.ReadAllText("/proc/self/maps").Contains("libicu");
        var hasLinq = false;
        foreach (var assembly in System.AppDomain.CurrentDomain.GetAssemblies())
        {
            hasLinq |= assembly.FullName!.StartsWith("System.Linq,", System.StringComparison.Ordinal);
        }

        var hasThreads = System.Threading.ThreadPool.ThreadCount != 0;
        System.Console.WriteLine(typeof(MessageQueue).Assembly.Location);
        System.Console.WriteLine(compiled);
        System.Console.WriteLine("culture " + hasCulture + " LINQ " + hasLinq + " threads " + hasThreads);
        """,
        "BufferedMessages");

    private static PEReader Read(ZipArchive package, string name)
    {
        var bytes = new MemoryStream();
        using var entry = package.GetEntry(name)!.Open();
        entry.CopyTo(bytes);
        bytes.Position = 0;
        return new PEReader(bytes);
    }

    private static bool IsPrecompiled(PEReader assembly) => assembly.PEHeaders.CorHeader!.ManagedNativeHeaderDirectory.Size != 0;

    // The compiler gives each version of an assembly an id.
    private static Guid VersionOf(PEReader assembly)
    {
        var metadata = assembly.GetMetadataReader();
        return metadata.GetGuid(metadata.GetModuleDefinition().Mvid);
    }
}
