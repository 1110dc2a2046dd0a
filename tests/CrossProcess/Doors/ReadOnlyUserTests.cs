using System.Diagnostics;
using System.Security.Cryptography;

namespace BufferedMessages.CrossProcess.Doors;

/// <summary>Another user, who may only read the files of a queue, looks into it while it is in use.</summary>
public sealed class ReadOnlyUserTests : IDisposable
{
    private readonly QueueDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [OtherUserTheory]
    [InlineData(QueueMode.Durable)]
    [InlineData(QueueMode.Bounded)]
    public void Another_user_reads_everything_and_changes_nothing(QueueMode mode)
    {
        using var queue = MessageQueue.Open(_directory.Queue, new()
        {
            Mode = mode,
            SegmentBytes = Parts.SegmentBytes,
            FileMode = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.GroupRead | UnixFileMode.OtherRead,
        });
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("mine");
        for (var i = 0; i < 100; i++)
        {
            producer.Publish(new byte[500]);
        }

        Allow(Path.GetDirectoryName(_directory.Queue)!);
        var before = Hashes();

        var lines = RunAsNobody(nameof(DoorParts.Look), _directory.Queue);

        Assert.Equal([$"1 {mode} 0 mine 1", "50000", .. Enumerable.Repeat(nameof(UnauthorizedAccessException), 4)], lines);
        Assert.Equal(before, Hashes());
        Assert.True(consumer.TryRead(out var delivery));
        delivery.Commit();
    }

    // Temporary folders are made for their owner alone.
    private static void Allow(string folder)
    {
        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(folder, File.GetUnixFileMode(folder) | UnixFileMode.OtherRead | UnixFileMode.OtherExecute);
        }
    }

    private static string[] RunAsNobody(params string[] arguments)
    {
        var start = new ProcessStartInfo("setpriv")
        {
            UseShellExecute = false,
            RedirectStandardOutput = true,
            ArgumentList = { "--reuid=65534", "--regid=65534", "--clear-groups", Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet", "exec", typeof(ReadOnlyUserTests).Assembly.Location },
        };
        foreach (var argument in arguments)
        {
            start.ArgumentList.Add(argument);
        }

        using var process = Process.Start(start)!;
        var lines = process.StandardOutput.ReadToEnd().Split('\n', StringSplitOptions.RemoveEmptyEntries);
        process.WaitForExit();
        Assert.Equal(0, process.ExitCode);
        return lines;
    }

    private List<string> Hashes() =>
        [.. from file in Directory.EnumerateFileSystemEntries(_directory.Queue, "*", SearchOption.AllDirectories).Order(StringComparer.Ordinal)
            select file + (File.Exists(file) && new FileInfo(file).Length > 0 ? Hash(file) : "")];

    private static string Hash(string path)
    {
        using var file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        return Convert.ToHexString(SHA256.HashData(file));
    }
}
