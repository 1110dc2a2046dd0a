using System.Runtime.InteropServices;
using BufferedMessages.Segments;

namespace BufferedMessages.Caching.Tests;

public sealed unsafe class HotCopiesTests : IDisposable
{
    private const int Slots = 4;
    private const int RecordsOfSlot = 50;
    private const int ValueBytes = 24;
    private const int RecordBytes = 64;
    private const long SegmentBytes = CacheDirectory.SegmentBytes;
    private const long BudgetBytes = 1024 * 1024;

    private readonly byte* _record = (byte*)NativeMemory.AlignedAlloc(RecordBytes, RecordWord.Alignment);
    private readonly HotCopies _copies = new(BudgetBytes, LeaseTable.InMemory(), new ResidentMemory(new nint[Slots], SegmentBytes, SegmentBytes, BudgetBytes));

    public void Dispose()
    {
        _copies.Dispose();
        NativeMemory.AlignedFree(_record);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(Slots - 1)]
    public void A_segment_that_is_forgotten_has_no_copies_and_the_others_keep_theirs(int forgotten)
    {
        foreach (var (slot, number) in AllRecords())
        {
            _copies.TryAdd(HashOf(slot, number), LocationOf(slot, number), NewRecord(), _copies.Forgotten);
        }

        Assert.All(AllRecords(), at => Assert.True(IsThere(at)));

        _copies.Forget(LocationOf(forgotten, 0), LocationOf(1, 0));

        Assert.All(AllRecords(), at => Assert.Equal(at.Slot != forgotten, IsThere(at)));
    }

    // No record is at location 0, where the first segment has its header.
    private static IEnumerable<(int Slot, int Number)> AllRecords() =>
        from slot in Enumerable.Range(0, Slots)
        from number in Enumerable.Range(slot == 0 ? 1 : 0, RecordsOfSlot)
        select (slot, number);

    // Each in a bucket of its own.
    private static ulong HashOf(int slot, int number) => (ulong)((slot * RecordsOfSlot) + number) << 32;

    private static long LocationOf(int slot, int number) => ((slot * SegmentBytes) + (number * RecordBytes)) >> IndexWord.UnitShift;

    private bool IsThere((int Slot, int Number) at) => _copies.TryFind(HashOf(at.Slot, at.Number), LocationOf(at.Slot, at.Number), out _);

    private CacheRecord NewRecord()
    {
        var word = RecordWord.Compose(RecordWord.Committed, owner: 0, RecordBytes);
        *(ulong*)_record = word;
        CacheRecord.WriteHead(_record, word, "key"u8, ValueBytes, schema: 0, ExpiryTimes.Fixed(ExpiryTimes.Never));
        Assert.True(CacheRecord.TryRead(_record, RecordBytes, out var record));
        return record;
    }
}
