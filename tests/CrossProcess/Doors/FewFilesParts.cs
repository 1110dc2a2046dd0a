using System.Runtime.InteropServices;
using BufferedMessages.Segments;

namespace BufferedMessages.CrossProcess.Doors;

/// <summary>A process that may open no more files, and then again as many as before. Without files the system starts no thread either.</summary>
internal static partial class FewFilesParts
{
    private const int OpenFilesLimit = 7;

    // An opening needs fewer than these.
    private const int MostFiles = 24;
    private const int EnoughFiles = 500;

    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(30);

    /// <summary>Argument: the queue. Says what does not work after each number of files.</summary>
    public static void RunOutOfFiles(string[] arguments)
    {
        var options = new MessageQueueOptions { SegmentBytes = Parts.SegmentBytes, Flush = FlushMode.Interval, FlushInterval = TimeSpan.FromMilliseconds(1) };
        var outcome = "works";

        // First with as many files as it needs: the runtime never again tries to load a library that it could not load.
        for (var files = EnoughFiles; files >= 0 && outcome == "works"; files = Math.Min(files, MostFiles) - 1)
        {
            using var queue = MessageQueue.Open(arguments[0], options);
            using var consumer = queue.OpenConsumer<RawMessage>("all", new() { Start = QueueStart.Latest });
            Fails(files, () => consumer.WaitToReadAsync(TimeSpan.FromMilliseconds(1)).AsTask().GetAwaiter().GetResult());
            Fails(files, () => queue.OpenProducer().Dispose());

            if (!consumer.WaitToReadAsync(TimeSpan.FromMilliseconds(1)).AsTask().Wait(Generous))
            {
                outcome = $"a wait did not end after {files} files";
                continue;
            }

            if (files == EnoughFiles)
            {
                // The instruments are there some milliseconds after the first participant.
                Thread.Sleep(500);
            }

            using var producer = queue.OpenProducer();
            var position = Publish(producer);
            if (!SpinWait.SpinUntil(() => queue.DurablePosition > position, Generous))
            {
                outcome = $"nothing was flushed after {files} files";
            }
        }

        Console.Out.WriteLine(outcome);
    }

    /// <summary>Argument: the queue. Has no files to open when it first asks for the run of the machine, and for its own start.</summary>
    public static void BeginWithoutFiles(string[] arguments)
    {
        // The runtime never again tries to load a library that it could not load, and the reader starts the timer that watches the files.
        using var bounded = MessageQueue.Open(arguments[0] + "-bounded", new() { Mode = QueueMode.Bounded, SegmentBytes = Parts.SegmentBytes });
        using var reader = bounded.OpenReader<RawMessage>();
        using var look = MessageQueue.OpenReadOnly(bounded.Path);
        _ = look.GetStatistics();
        Fails(files: 0, static () => Assert.NotEqual(Guid.Empty, MachineBoot.Id));
        using var queue = MessageQueue.Open(arguments[0]);
        Fails(files: 0, () => queue.OpenProducer().Dispose());
        using var producer = queue.OpenProducer();
        producer.Publish("message"u8);
        Console.Out.WriteLine("works");
    }

    // Whether and how it fails depends on the number.
    private static void Fails(int files, Action action)
    {
        Assert.Equal(0, GetLimit(OpenFilesLimit, out var limit));
        var few = limit with { Current = (ulong)(Directory.GetFiles("/proc/self/fd").Length - 1 + files) };
        Assert.Equal(0, SetLimit(OpenFilesLimit, in few));
        try
        {
            action();
        }
        catch (Exception exception) when (exception is IOException or OutOfMemoryException)
        {
        }
        finally
        {
            Assert.Equal(0, SetLimit(OpenFilesLimit, in limit));
        }
    }

    // A flush in the background may have failed while there were few files, and another one may have begun then and fail now. A publish reports each of the two, once.
    private static long Publish(MessageProducer producer)
    {
        for (var reports = 0; ; reports++)
        {
            try
            {
                return producer.Publish("message"u8);
            }
            catch (FlushFailedException) when (reports < 2)
            {
            }
        }
    }

    [LibraryImport("libc", EntryPoint = "getrlimit")]
    private static partial int GetLimit(int resource, out Limit limit);

    [LibraryImport("libc", EntryPoint = "setrlimit")]
    private static partial int SetLimit(int resource, in Limit limit);

    private record struct Limit(ulong Current, ulong Most);
}
