using System.Globalization;

namespace BufferedMessages.Caching.Tests;

public sealed class SharedProcessTests : IDisposable
{
    private readonly CacheDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public void When_the_owner_is_killed_the_others_go_on_and_miss_nothing()
    {
        var peers = new List<ChildProcess>();
        try
        {
            for (var i = 0; i < 4; i++)
            {
                peers.Add(Join());
            }

            for (var kill = 0; kill < 3; kill++)
            {
                for (var key = 0; key < 60; key++)
                {
                    Assert.Equal("set", Ask(peers[key % peers.Count], $"set {key} {key + kill}"));
                }

                // The owner is the one that was started first, as long as only owners are killed.
                var owner = peers.Find(peer => peer.ProcessId == OwnerOf())!;
                owner.Kill();
                peers.Remove(owner);
                Assert.Equal("set", Ask(peers[0], $"set 7 {1000 + kill}"));
                foreach (var peer in peers)
                {
                    Assert.Equal("same", Ask(peer, $"get 7 {1000 + kill}"));
                    Assert.Equal("same", Ask(peer, $"get 8 {8 + kill}"));
                }
            }
        }
        finally
        {
            peers.ForEach(peer => peer.Dispose());
        }
    }

    [Fact]
    public void Many_processes_that_miss_a_key_create_its_value_once()
    {
        var log = Path.Combine(Directory.GetParent(_directory.Path)!.FullName, "log");
        using var first = Join();
        using var second = Join();
        using var third = Join();
        ChildProcess[] peers = [first, second, third];

        Array.ForEach(peers, peer => peer.Tell($"create 1 {log}"));
        var values = peers.Select(peer => peer.Hear()).Distinct().ToList();

        Assert.Single(values);
        Assert.Single(File.ReadAllLines(log));
    }

    [Fact]
    public void When_a_process_dies_while_it_creates_a_value_another_one_creates_it()
    {
        var log = Path.Combine(Directory.GetParent(_directory.Path)!.FullName, "log");
        using var owner = Join();
        using var creator = Join();
        creator.Tell("stall 1 -");
        Assert.Equal("creating", creator.Hear());
        owner.Tell($"create 1 {log}");
        creator.Kill();

        Assert.Equal(owner.ProcessId.ToString(CultureInfo.InvariantCulture), owner.Hear());
    }

    [Fact]
    public void A_lease_keeps_its_bytes_under_the_next_owner()
    {
        using var owner = Join();
        using var holder = Join();
        using var other = Join();
        Assert.Equal("set", Ask(owner, "set 0 1"));
        Assert.Equal("held", Ask(holder, "lease 0 1"));
        owner.Kill();

        for (var i = 1; i < 4_000; i++)
        {
            Assert.Equal("set", Ask(other, $"set {i % 50} {i}"));
        }

        holder.Tell();
        Assert.Equal("same", holder.Hear());
    }

    private static string? Ask(ChildProcess peer, string command)
    {
        peer.Tell(command);
        return peer.Hear();
    }

    private ChildProcess Join()
    {
        var peer = ChildProcess.Start(SharingPart.Name, _directory);
        Assert.Equal("open", peer.Hear());
        return peer;
    }

    private int OwnerOf() => CacheControl.Open(_directory, FileAccess.Read).Header.WriterProcess;
}
