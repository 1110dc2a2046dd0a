namespace BufferedMessages.Caching.Torture;

/// <summary>The counts of the torture.</summary>
internal sealed class TortureTotals
{
    private long _bad;
    private long _lostByReaders;

    public long Hits { get; private set; }

    public int Kills { get; set; }

    public long Entries { get; set; }

    public long Lost { get; set; }

    public long Torn { get; set; }

    public long Corrupt { get; set; }

    public long OverBudget { get; private set; }

    /// <summary>Gets or sets the longest time from the death of an owner to the first sets under the next one.</summary>
    public TimeSpan LongestTakeover { get; set; }

    public long LargestMemory { get; private set; }

    public long LargestDisk { get; private set; }

    public bool HasFault => _bad + _lostByReaders + Lost + Torn + Corrupt + OverBudget != 0;

    public bool IsClean => !HasFault && Hits > 0 && Kills > 0 && Entries > 0;

    /// <summary>Gets the line with all counts. Torn are values that were written torn, and entries that are found damaged after a kill.</summary>
    public string ClosingLine => $"hits {Hits} kills {Kills} entries {Entries} bad {_bad} lost {Lost + _lostByReaders} torn {Torn + Corrupt} overbudget {OverBudget}";

    /// <summary>Takes over the counts of the processes.</summary>
    public void Take(in Journal.Head counts)
    {
        Hits = counts.Hits;
        _bad = counts.Bad + counts.Stale;
        _lostByReaders = counts.Lost;
    }

    /// <summary>Checks the budgets. Each may be exceeded by one segment.</summary>
    public void Watch(string directory, TorturePeer writer, TorturePeer reader)
    {
        var cache = TortureCache.CacheOf(directory);
        var disk = BudgetWatch.DiskBytes(cache);
        var memory = Math.Max(writer.ResidentBytes(cache), reader.ResidentBytes(cache));
        LargestDisk = Math.Max(LargestDisk, disk);
        LargestMemory = Math.Max(LargestMemory, memory);
        if (disk > TortureCache.DiskBytes + TortureCache.SegmentBytes || memory > TortureCache.MemoryBytes + TortureCache.SegmentBytes)
        {
            OverBudget++;
        }

        if (writer.HasEnded || reader.HasEnded)
        {
            throw new InvalidOperationException("A process of the torture ended by itself; its output is above.");
        }
    }
}
