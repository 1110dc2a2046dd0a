namespace BufferedMessages.Caching;

/// <summary>The tags of a cache, whose file is opened when it is first needed, and again when it is damaged: another process may have created a new one. Thread-safe.</summary>
/// <param name="control">The control file.</param>
/// <param name="requireInPlace">Called before a file is first written to: it might be that of another cache. Null in a process that only reads.</param>
internal sealed class CurrentTags(CacheControl control, Action? requireInPlace)
{
    private readonly Lock _gate = new();
    private TagTable? _table;

    // The one that may be written to.
    private TagTable? _own;

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
            Volatile.Write(ref _table, _table is { IsSound: true } ? _table : TagTable.TryOpen(control.Directory, requireInPlace is null ? FileAccess.Read : FileAccess.ReadWrite));
            return _table;
        }
    }

    /// <summary>Gets the tags to write to, and creates their file if there is none. Called in the process that writes.</summary>
    /// <exception cref="CacheCorruptedException">The directory or the lease of the writer was deleted or replaced while the cache was open.</exception>
    public TagTable Require()
    {
        if (Volatile.Read(ref _own) is { IsSound: true } own)
        {
            return own;
        }

        lock (_gate)
        {
            requireInPlace!();
            var table = _table is { IsSound: true } open ? open : TagTable.OpenOrCreate(control.Directory, control.Permissions);
            Volatile.Write(ref _table, table);
            Volatile.Write(ref _own, table);
            return table;
        }
    }

    /// <summary>
    /// Continues the clock from the largest number of an entry. After a crash of the machine the file may be older than the entries, and later removals must be above them. Called before any
    /// thread writes.
    /// </summary>
    /// <param name="born">The number; 0 when no entry has tags.</param>
    public void Resume(ulong born)
    {
        if (born != 0)
        {
            Find()?.Resume(born);
        }
    }

    /// <summary>Determines whether no tag of a value was removed since its creation began.</summary>
    /// <param name="block">The bytes of its tags, with the number of the clock when the creation began.</param>
    public bool Hold(ReadOnlySpan<byte> block) =>
        Now == 0 || (Find() is { } table && table.Holds(Math.Max(TagBlock.Born(block), table.First), TagBlock.Groups(block)));

    /// <summary>Determines whether a tag of an entry was removed after the entry was set.</summary>
    public bool WereRemoved(in CacheRecord record) =>
        record.HasTags && !(record.TryReadTags(out var block) && Find() is { } table && table.Holds(TagBlock.Born(block), TagBlock.Groups(block)));
}
