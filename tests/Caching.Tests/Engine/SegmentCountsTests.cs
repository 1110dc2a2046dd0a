using System.Runtime.InteropServices;

namespace BufferedMessages.Caching.Tests;

/// <summary>The counts of the segments in the control file.</summary>
public sealed class SegmentCountsTests : IDisposable
{
    private const int Slot = 3;

    private readonly CacheDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    // The entries of two lanes cancel each other, and their bytes do not. With two stores, a kill between them would leave wrong bytes beside the right number of entries.
    [Fact]
    public void Counts_are_replaced_by_one_store()
    {
        _directory.Open<int>().Dispose();
        var control = CacheControl.Open(_directory, FileAccess.ReadWrite);
        control.AddCounts(Slot, lane: 0, SlotState.CountOf(128));
        control.AddCounts(Slot, lane: 1, -SlotState.CountOf(64));
        control.AddCounts(Slot, WriteLanes.None, SlotState.CountOf(256));
        var before = Words();

        control.SetCounts(Slot, SlotState.CountOf(512));

        Assert.Equal(SlotState.CountOf(512), control.ReadCounts(Slot));
        Assert.Single(before.Zip(Words()), static words => words.First != words.Second);
        control.SetCounts(Slot, 0);
        Assert.Equal(0, control.ReadCounts(Slot));
    }

    [Fact]
    public void The_average_bytes_of_a_record_are_those_of_all_entries()
    {
        Assert.Equal(96, SlotState.AverageBytesOf(SlotState.CountOf(128) + SlotState.CountOf(64)));
        Assert.Equal(0, SlotState.AverageBytesOf(0));
    }

    // A process may have damaged the counts, and reading ahead divides by them.
    [Theory]
    [InlineData(-1)]
    [InlineData(int.MinValue)]
    [InlineData(long.MinValue)]
    [InlineData(long.MaxValue)]
    public void Damaged_counts_without_a_number_of_entries_have_no_average(long counts) => Assert.Equal(0, SlotState.AverageBytesOf(counts));

    private long[] Words()
    {
        using var file = new FileStream(CacheFiles.Control(_directory), FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        var bytes = new byte[file.Length];
        file.ReadExactly(bytes);
        return MemoryMarshal.Cast<byte, long>(bytes).ToArray();
    }
}
