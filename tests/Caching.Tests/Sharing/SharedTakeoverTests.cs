using System.Diagnostics;
using BufferedMessages.Segments;

namespace BufferedMessages.Caching.Tests;

/// <summary>Changes of a process that becomes the owner of a shared cache at the same time.</summary>
public sealed class SharedTakeoverTests : IDisposable
{
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(60);
    private static readonly CacheExpiry Hour = CacheExpiry.After(TimeSpan.FromHours(1));

    private readonly CacheDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    // A pipe in the place of the note holds the process up until the note names its own queue, whose thread is held at its first change.
    [LinuxFact]
    public async Task A_change_is_not_made_once_more_by_a_process_that_became_the_owner_while_it_looked_for_one()
    {
        _directory.Open<int>(Options(TimeProvider.System)).Dispose();
        var note = CacheFiles.Owner(_directory);
        File.Delete(note);
        using (var pipe = Process.Start("mkfifo", [note]))
        {
            await pipe.WaitForExitAsync();
        }

        using var owner = FileLease.TryAcquire(CacheFiles.WriterLease(_directory), FilePermissions.OfUser);
        using var clock = new HeldClock();
        using var other = _directory.Open<int>(Options(clock));
        try
        {
            var sets = Task.Run(() =>
            {
                other.Set(1, "first"u8, Hour);
                other.Set(1, "second"u8, Hour);
            });
            await using (var writer = await Task.Run(() => new FileStream(note, FileMode.Open, FileAccess.Write, FileShare.ReadWrite)).WaitAsync(Generous))
            {
                owner!.Dispose();
                Assert.True(SpinWait.SpinUntil(() => new FileInfo(note).Length > 0, Generous), "The process does not become the owner.");
                await writer.WriteAsync(await File.ReadAllBytesAsync(note));
            }

            await sets.WaitAsync(Generous);
            clock.Release();
            using var third = _directory.Open<int>(Options(TimeProvider.System));
            third.Set(2, "after it"u8, Hour);
            Assert.Equal("second"u8.ToArray(), third.Read(1)!);
        }
        finally
        {
            clock.Release();
        }
    }

    private static MessageCacheOptions Options(TimeProvider clock) =>
        CacheDirectory.SmallWith(options => (options.Shared, options.TimeProvider, options.SegmentTimeout) = (true, clock, TimeSpan.FromMinutes(2)));
}
