namespace BufferedMessages.Caching;

/// <summary>
/// Opens the index that an earlier process has left, if it can be trusted: its links are valid, and all entries lead into open segments. Checksums are compared when entries are read.
/// </summary>
internal static class IndexCheck
{
    /// <summary>Opens the index, and counts its entries per segment.</summary>
    /// <returns>False when it is missing or damaged.</returns>
    public static bool TryOpen(CacheStore store)
    {
        var control = store.Control;
        var table = IndexTable.TryOpen(control.Directory, control.Header.IndexGeneration, FileAccess.ReadWrite, out _);
        if (table is null || !table.HasValidLinks())
        {
            return false;
        }

        var counts = new long[control.SlotCount];
        for (var walk = new IndexWalk(table); walk.MoveNext();)
        {
            var location = IndexWord.Location(walk.Word);
            var slot = store.Segments.SlotOf(location);
            if (slot >= counts.Length || control.Slot(slot).State != SlotState.Open || store.Segments.OffsetOf(location) < SegmentHeader.Bytes)
            {
                return false;
            }

            counts[slot]++;
            walk.Cell.Write(walk.Word & ~IndexWord.Checked);
        }

        for (var slot = 0; slot < counts.Length; slot++)
        {
            control.Slot(slot).Entries = counts[slot];
        }

        store.Index.Publish(table);
        return true;
    }
}
