using BufferedMessages.Segments;

namespace BufferedMessages.Caching;

/// <summary>Maps the segments that earlier processes have left. A segment describes itself: where the control file disagrees, the header of the segment wins.</summary>
internal static class SegmentCheck
{
    /// <summary>Maps every segment that has a file.</summary>
    /// <param name="store">The cache.</param>
    /// <param name="isTrusted">Whether the control file is as the last process left it; otherwise files are looked for in every slot.</param>
    /// <returns>False when the table of slots does not agree with the segments.</returns>
    public static bool TryMapAll(CacheStore store, bool isTrusted)
    {
        var control = store.Control;
        var areAsNoted = true;
        for (var slot = 0; slot < control.SlotCount; slot++)
        {
            ref var state = ref control.Slot(slot);
            var wasThere = state.State is SlotState.Free or SlotState.Open;
            if (wasThere || (!isTrusted && File.Exists(CacheFiles.Segment(control.Directory, slot))))
            {
                areAsNoted &= TryMap(store, slot) && wasThere;
            }
            else
            {
                areAsNoted &= state.State == SlotState.Absent;
                state.State = SlotState.Absent;
            }
        }

        return areAsNoted;
    }

    /// <summary>Sets the state of a mapped slot from the header of its segment.</summary>
    /// <returns>Whether the segment is open.</returns>
    public static bool TakeHeader(CacheStore store, int slot)
    {
        ref var header = ref store.Segments.Header(slot);
        ref var state = ref store.Control.Slot(slot);
        var isOpen = header.IsOpen(slot);
        if (isOpen)
        {
            // After a crash of the machine the table of slots may be older than the records: some may expire, and its end may be that of an earlier use.
            state.Flags |= SlotState.Expiring;
            state.EndUnits = state.State == SlotState.Open && state.OpenSequence == header.OpenSequence ? state.EndUnits : 0;
        }

        state.State = isOpen ? SlotState.Open : SlotState.Free;
        state.OpenSequence = isOpen ? header.OpenSequence : 0;
        return isOpen;
    }

    /// <summary>Moves the chunks that a process has left to their segments: it was killed, or its writes failed. After a crash of the machine they are lost.</summary>
    /// <returns>False if a chunk is damaged. Then the index cannot be trusted: where it leads, the segment may have a record of an earlier use.</returns>
    /// <exception cref="IOException">The disk failed; the chunks stay for the next process.</exception>
    public static bool TryTakeStaged(CacheStore store)
    {
        var segments = store.Segments;
        var areWhole = true;

        // After a crash of the machine they may be older or newer than the segments.
        var areOfBoot = store.Control.Header.Boot == MachineBoot.Id;
        for (var lane = 0; lane < CacheControl.CountLanes && areOfBoot; lane++)
        {
            var chunk = segments.Staged.LeftIn(lane, out var location);
            var (slot, offset) = (segments.SlotOf(location), segments.OffsetOf(location));
            if (!chunk.IsEmpty && segments.IsMapped(slot) && segments.Header(slot).IsOpen(slot) && offset >= SegmentHeader.Bytes && offset + chunk.Length <= segments.RecordsEnd)
            {
                segments.WriteFile(slot, chunk, offset);
            }
            else
            {
                areWhole &= !segments.Staged.IsLeftIn(lane);
            }
        }

        if (!areWhole)
        {
            // Before the words are cleared: the process may be killed before it has made another index.
            store.Control.Header.Boot = default;
        }

        segments.Staged.Clear();
        return areWhole;
    }

    private static bool TryMap(CacheStore store, int slot)
    {
        ref var state = ref store.Control.Slot(slot);
        try
        {
            store.Segments.Map(slot);
        }
        catch (Exception exception) when (exception is FileNotFoundException or InvalidDataException)
        {
            state.State = SlotState.Absent;
            CacheFiles.TryDelete(CacheFiles.Segment(store.Control.Directory, slot));
            return false;
        }

        ref var header = ref store.Segments.Header(slot);

        // An open segment whose header is closed was emptied while a lease held it: the index must not lead there.
        var isAsNoted = state.State == SlotState.Free || !header.IsOpen(slot) || header.OpenSequence == state.OpenSequence;
        if (!isAsNoted)
        {
            TakeHeader(store, slot);
        }

        return isAsNoted;
    }
}
