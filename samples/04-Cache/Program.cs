using System.Globalization;
using BufferedMessages;
using BufferedMessages.Caching;
using BufferedMessages.Samples;
using BufferedMessages.Samples.Caching;

const int Seed = 7;

try
{
    return await CacheSampleOptions.RunAsync(args, Run);
}
catch (Exception exception) when (exception is ArgumentException or CacheInUseException or CacheCorruptedException or NotSupportedException or DiskFullException or UnauthorizedAccessException or IOException)
{
    await Console.Error.WriteLineAsync(exception.Message);
    return SampleCommand.Mistake;
}

static int Run(CacheSampleOptions options)
{
    var tree = FileTree.List(options.Root, options.CacheDirectory, Seed);
    Print($"{tree.Files.Length} files in {options.Root}, {tree.Bytes} bytes, {(double)tree.Bytes / options.MemoryBytes:0.0} times the memory budget");

    using var cache = MessageCache.Open<string>(options.CacheDirectory, options.CacheOptions);
    var survivors = tree.Files.Count(file => cache.Contains(file.Path));
    Print($"{survivors} of these files survived in the cache from an earlier run");

    using var interrupt = new CancellationTokenSource();
    Console.CancelKeyPress += (_, e) =>
    {
        e.Cancel = true;
        interrupt.Cancel();
    };
    var lookups = new FileLookups(cache);
    var lookingUp = Task.Factory.StartNew(
        () => LookUp(options, tree, lookups, interrupt.Token), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
    CacheFigures Take() => CacheFigures.Take(options, cache, lookups);
    if (options.IsPlain || Console.IsOutputRedirected)
    {
        LiveFigures.PrintLines(lookingUp, Take);
    }
    else
    {
        LiveFigures.ShowTable(lookingUp, Take);
    }

    lookingUp.GetAwaiter().GetResult();
    Print($"The first {FileLookups.FirstHits} hits allocated {lookups.FirstHitsAllocated:N0} managed bytes in all: objects of the schema that is read once, and of the runtime's first use of each method");
    Print($"{lookups.Hits} hits read {lookups.HitBytes:N0} bytes in place; {lookups.Changed} files had changed, {lookups.Unreadable} could not be read, {lookups.Wrong} were not as they were set");
    Console.WriteLine(Take());
    return lookups.Wrong == 0 ? 0 : 1;
}

static void LookUp(CacheSampleOptions options, FileTree tree, FileLookups lookups, CancellationToken interrupted)
{
    // Each run looks up other files with the same distribution.
    var ranks = new ZipfRanks(tree.Files.Length, Environment.ProcessId);
    while (lookups.Count < options.Lookups && !interrupted.IsCancellationRequested)
    {
        lookups.LookUp(in tree.Files[ranks.Next()]);
    }
}

static void Print(FormattableString text) => Console.WriteLine(text.ToString(CultureInfo.InvariantCulture));
