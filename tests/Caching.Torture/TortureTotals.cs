namespace BufferedMessages.Caching.Torture;

/// <summary>What the torture counted.</summary>
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

    public long LargestMemory { get; private set; }

    public long LargestDisk { get; private set; }

    public bool HasFault => _bad + _lostByReaders + Lost + Torn + Corrupt + OverBudget != 0;

    public bool IsClean => !HasFault && Hits > 0 && Kills > 0 && Entries > 0;

    /// <summary>What is torn was written so, or is found damaged after a kill.</summary>
    public string ClosingLine => $"hits {Hits} kills {Kills} entries {Entries} bad {_bad} lost {Lost + _lostByReaders} torn {Torn + Corrupt} overbudget {OverBudget}";

    /// <summary>Takes over what the processes counted.</summary>
    public void Take(in Journal.Head counts)
    {
        Hits = counts.Hits;
        _bad = counts.Bad + counts.Stale;
        _lostByReaders = counts.Lost;
    }

    /// <summary>Looks at the budgets. Either may be passed by one segment.</summary>
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
            throw new InvalidOperationException("A process of the torture ended by itself; what it said is above.");
        }
    }
}
