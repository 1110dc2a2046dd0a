using BufferedMessages.Wire;

namespace BufferedMessages.Caching;

/// <summary>
/// Opens the index that an earlier process has left, if it can be trusted: its links are valid, and all entries lead into open segments. Checksums are compared when entries are read.
/// </summary>
internal static class IndexCheck
{
    /// <summary>Opens the index, and counts its entries per segment.</summary>
    /// <param name="store">The cache.</param>
    /// <param name="wasClosed">Whether the process that wrote last has closed the cache.</param>
    /// <returns>False when it is missing or damaged.</returns>
    public static bool TryOpen(CacheStore store, bool wasClosed)
    {
        var control = store.Control;
        var table = IndexTable.TryOpen(control.Directory, control.Header.IndexGeneration, FileAccess.ReadWrite, out _);
        if (table is null || !table.HasValidLinks() || CountEntries(store, table) is not { } counts)
        {
            return false;
        }

        for (var slot = 0; slot < counts.Length; slot++)
        {
            if (control.Slot(slot).State == SlotState.Absent)
            {
                continue;
            }

            var stored = control.ReadCounts(slot);
            var hasRecordWithoutEntry = !wasClosed && MayBeWritten(store, slot) && CountUnmarked(store.Segments, slot) != counts[slot];
            if (hasRecordWithoutEntry || (counts[slot] != 0 && !AreCounts(stored, counts[slot], store.Segments.RecordsEnd)))
            {
                // A process was killed in the middle of a set.
                stored = CountRecords(store, table, slot);
            }

            control.SetCounts(slot, counts[slot] == 0 ? 0 : stored);
        }

        store.Index.Publish(table);
        return true;
    }

    private static int[]? CountEntries(CacheStore store, IndexTable table)
    {
        var control = store.Control;
        var counts = new int[control.SlotCount];
        var areOpen = new bool[control.SlotCount];
        for (var slot = 0; slot < areOpen.Length; slot++)
        {
            areOpen[slot] = control.Slot(slot).State == SlotState.Open && store.Segments.Header(slot).IsOpen(slot);
        }

        for (var walk = new IndexWalk(table); walk.MoveNext();)
        {
            var location = IndexWord.Location(walk.Word);
            var slot = store.Segments.SlotOf(location);
            if (slot >= counts.Length || !areOpen[slot] || store.Segments.OffsetOf(location) < SegmentHeader.Bytes || store.Segments.OffsetOf(location) >= store.Segments.RecordsEnd)
            {
                return null;
            }

            counts[slot]++;
            walk.Cell.Write(walk.Word & ~IndexWord.Checked);
        }

        return counts;
    }

    private static bool AreCounts(long stored, int entries, long recordsEnd) =>
        SlotState.EntriesOf(stored) == entries && SlotState.LiveBytesOf(stored) is var liveBytes && liveBytes >= CacheRecord.BytesOf(0, 0) * entries && liveBytes <= recordsEnd;

    // The end is noted once no thread writes to the segment.
    private static bool MayBeWritten(CacheStore store, int slot) =>
        store.Control.Slot(slot) is { State: SlotState.Open, EndUnits: 0 } && store.Segments.Header(slot).IsOpen(slot);

    // Exceeds the number of entries if a process was killed after it had committed a record, and before an entry led to it. A rebuilt index would lead there, even after the key was removed.
    private static long CountUnmarked(SegmentMap segments, int slot)
    {
        var count = 0L;
        for (var walk = new SegmentWalk(segments, slot); walk.MoveToUnmarked();)
        {
            count++;
        }

        return count;
    }

    // Also makes the marks of dead records agree with the index, because the process may have been killed between the two.
    private static long CountRecords(CacheStore store, IndexTable table, int slot)
    {
        var sum = 0L;
        for (var walk = new SegmentWalk(store.Segments, slot); walk.MoveNext();)
        {
            var record = walk.Record;
            store.Segments.Memory.Use(slot, walk.Position, record.Bytes);
            if (!IsLed(store, table, record, slot, walk.Position))
            {
                store.Segments.MarkDead(store.Segments.LocationOf(slot, walk.Position));
                continue;
            }

            sum += SlotState.CountOf(record.Bytes);
            if (store.Segments.IsDead(slot, walk.Position))
            {
                store.Segments.MarkAlive(slot, walk.Position);
            }
        }

        return sum;
    }

    private static bool IsLed(CacheStore store, IndexTable table, CacheRecord record, int slot, long position)
    {
        var hash = XxHash64.Hash(record.Key);
        var cursor = table.CursorOf(hash);
        while (table.TryNext(ref cursor, hash))
        {
            if (IndexWord.Location(cursor.Word) == store.Segments.LocationOf(slot, position))
            {
                return true;
            }
        }

        return false;
    }
}
