namespace BufferedMessages.Caching;

/// <summary>The tags of a cache, whose file is opened when it is first needed, and again when it is damaged: another process may have made a new one. Safe for all threads.</summary>
internal sealed class CurrentTags(CacheControl control)
{
    private readonly Lock _gate = new();
    private TagTable? _table;

    /// <summary>Gets the number of the clock of tags; 0 when no entry had tags yet.</summary>
    // A cache without tags is asked often, and an exception for each missing file would cost more than the look.
    public ulong Now => Volatile.Read(ref _table) is null && !File.Exists(CacheFiles.Tags(control.Directory)) ? 0 : Find()?.Now ?? 0;

    /// <summary>Gets the tags; null when no entry had any yet.</summary>
    private TagTable? Find()
    {
        if (Volatile.Read(ref _table) is { IsSound: true } open)
        {
            return open;
        }

        lock (_gate)
        {
            Volatile.Write(ref _table, _table is { IsSound: true } ? _table : TagTable.TryOpen(control.Directory));
            return _table;
        }
    }

    /// <summary>Gets the tags, and makes their file if there is none. In the process that writes.</summary>
    public TagTable Require()
    {
        if (Volatile.Read(ref _table) is { IsSound: true } open)
        {
            return open;
        }

        lock (_gate)
        {
            Volatile.Write(ref _table, _table is { IsSound: true } ? _table : TagTable.OpenOrCreate(control.Directory, control.Permissions));
            return _table!;
        }
    }

    /// <summary>Says whether no tag of a value was removed since its creation began.</summary>
    /// <param name="block">The bytes of its tags, with the number of the clock when the creation began.</param>
    public bool Hold(ReadOnlySpan<byte> block) =>
        Now == 0 || (Find() is { } table && table.Holds(Math.Max(TagBlock.Born(block), table.First), TagBlock.Groups(block)));

    /// <summary>Says whether a tag of an entry was removed after the entry was set.</summary>
    public bool WereRemoved(in CacheRecord record) =>
        record.HasTags && !(record.TryReadTags(out var block) && Find() is { } table && table.Holds(TagBlock.Born(block), TagBlock.Groups(block)));
}
