using System.Globalization;
using BufferedMessages.Segments;
using BufferedMessages.Wire;

namespace BufferedMessages.Caching;

/// <summary>
/// The inspection of a whole cache: control file, segments, index, and the files of the folder. It holds no lease and changes no byte. A process may write to the cache at the same
/// time: a fault in a segment that is reused, or in an entry that is replaced, does not count.
/// </summary>
internal sealed class CacheInspection
{
    private const int Looks = 5;
    private const long MemoryBytes = 1L << 30;
    private const ulong HashMask = (1UL << IndexWord.HashBits) - 1;

    private readonly string _directory;
    private readonly Action<FoundRecord>? _found;
    private readonly CancellationToken _token;
    private readonly List<CacheFinding> _findings = [];
    private readonly HashSet<int> _walked = [];

    // For a record of a chunk that is not in its segment yet.
    // SAFETY: there during the inspection; it has EntryCopies.MaxBytes.
    private unsafe byte* _room;
    private CurrentTags? _tags;
    private long _records;
    private long _valueBytes;

    private CacheInspection(string directory, Action<FoundRecord>? found, CancellationToken token)
    {
        _directory = directory;
        _found = found;
        _token = token;
    }

    /// <summary>Inspects a cache.</summary>
    /// <param name="directory">Its folder.</param>
    /// <param name="found">Called with each record that is whole; null if only the damage matters.</param>
    /// <param name="token">Ends the inspection.</param>
    /// <exception cref="NotSupportedException">A newer version wrote the control file.</exception>
    public static CacheInspectionReport Run(string directory, Action<FoundRecord>? found, CancellationToken token)
    {
        var inspection = new CacheInspection(directory, found, token);
        try
        {
            inspection.Inspect(CacheControl.Open(directory, FileAccess.Read));
        }
        catch (CacheCorruptedException exception)
        {
            inspection.Damage(exception.File, 0, exception.Fault);
        }

        return new CacheInspectionReport(inspection._findings, inspection._walked.Count, inspection._records, inspection._valueBytes);
    }

    // SAFETY: the room has as many bytes as a copied record at most.
    private unsafe void Inspect(CacheControl control)
    {
        _tags = new CurrentTags(control, requireInPlace: null);
        var segments = new SegmentMap(control, MemoryBytes, isReadOnly: true);
        _room = KeptMemory.Take(EntryCopies.MaxBytes);
        try
        {
            for (var slot = 0; slot < control.SlotCount; slot++)
            {
                _token.ThrowIfCancellationRequested();
                InspectSlot(control, segments, slot);
            }

            InspectIndex(control, segments);
            InspectFiles(control);
        }
        finally
        {
            segments.Release();
            KeptMemory.GiveBack(_room, EntryCopies.MaxBytes);
        }

        GC.KeepAlive(control);
    }

    private void InspectSlot(CacheControl control, SegmentMap segments, int slot)
    {
        var (state, file) = (Volatile.Read(ref control.Slot(slot).State), Volatile.Read(ref control.Slot(slot).File));
        if (state is not (SlotState.Free or SlotState.Open))
        {
            return;
        }

        var path = CacheFiles.Segment(_directory, slot);
        try
        {
            segments.Map(slot);
            if (state == SlotState.Open)
            {
                InspectSegment(control, segments, slot, path);
            }
        }
        catch (FileNotFoundException) when (IsSame())
        {
            Damage(path, null, "the segment is missing");
        }
        catch (InvalidDataException exception) when (IsSame())
        {
            Damage(path, null, exception.Message);
        }
        catch (Exception exception) when (exception is FileNotFoundException or InvalidDataException)
        {
            // The process that writes has replaced the file.
        }
        catch (NotSupportedException exception)
        {
            _findings.Add(new CacheFinding(CacheFindingKind.Unknown, path, Offset: null, exception.Message));
        }

        bool IsSame() => Volatile.Read(ref control.Slot(slot).State) == state && Volatile.Read(ref control.Slot(slot).File) == file;
    }

    // SAFETY: the state word of a copied record is the first word of the room.
    private unsafe void InspectSegment(CacheControl control, SegmentMap segments, int slot, string path)
    {
        var sequence = Volatile.Read(ref control.Slot(slot).OpenSequence);
        if (!segments.Header(slot).IsOpen(slot))
        {
            if (!segments.Header(slot).IsClosed(slot) && IsSame())
            {
                Damage(path, 0, "the header of the segment is damaged");
            }

            return;
        }

        _walked.Add(slot);
        for (var offset = (long)SegmentHeader.Bytes; offset < segments.RecordsEnd;)
        {
            CacheRecord? copy = segments.Staged.TryCopy(segments.LocationOf(slot, offset), _room, EntryCopies.MaxBytes, out var copied, out var isStaged) ? copied : null;
            var word = isStaged ? *(ulong*)_room : Volatile.Read(ref segments.WordAt(slot, offset));
            var fault = FaultOf(segments, slot, offset, word, isStaged, copy, sequence, out var bytes, out var record);
            if (fault is not null && IsSame())
            {
                Damage(path, offset, fault);
            }

            if (bytes == 0 || !IsSame())
            {
                return;
            }

            if (record is not null)
            {
                _found!(record);
            }

            offset += bytes;
        }

        bool IsSame()
        {
            // The bytes are read before the state.
            Interlocked.MemoryBarrier();
            return Volatile.Read(ref control.Slot(slot).State) == SlotState.Open && Volatile.Read(ref control.Slot(slot).OpenSequence) == sequence;
        }
    }

    // No bytes mean that the walk ends.
    private string? FaultOf(SegmentMap segments, int slot, long offset, ulong word, bool isStaged, CacheRecord? copy, ulong openSequence, out uint bytes, out FoundRecord? found)
    {
        found = null;
        bytes = 0;
        if (word == RecordWord.Free)
        {
            return null;
        }

        if (RecordWord.State(word) is RecordWord.Free or > RecordWord.Padding || !RecordWord.HasValidLength(word, segments.RecordsEnd - offset))
        {
            return $"the record's state word 0x{word.ToString("X16", CultureInfo.InvariantCulture)} is impossible";
        }

        bytes = RecordWord.Bytes(word);
        if (RecordWord.State(word) != RecordWord.Committed)
        {
            return null;
        }

        var record = copy ?? default;
        if (isStaged ? copy is null : !segments.TryRead(slot, offset, out record))
        {
            return "the lengths of the record do not fit into it";
        }

        if (!record.IsWhole(segments.LocationOf(slot, offset)))
        {
            return "the record does not have the checksum that it was written with";
        }

        if (record.Sequence <= openSequence)
        {
            return $"the record has the sequence number {record.Sequence}, which is not above that of its segment";
        }

        _records++;
        _valueBytes += record.ValueBytes;
        if (_found is not null && !segments.IsDead(slot, offset))
        {
            ExpiryWord.TryRead(record.Expiry, out var expires);
            found = new FoundRecord(slot, offset, record.Sequence, expires, record.Schema, record.Key.ToArray(), record.ValueBytes, _tags!.WereRemoved(in record));
        }

        return null;
    }

    private void InspectIndex(CacheControl control, SegmentMap segments)
    {
        for (var look = 1; ; look++)
        {
            var generation = Volatile.Read(ref control.Header.IndexGeneration);
            var table = IndexTable.TryOpen(_directory, generation, FileAccess.Read, out var fault);
            if (table is not null && table.HasValidLinks())
            {
                InspectEntries(control, segments, table);
                return;
            }

            // The process that writes may be replacing it, or adding to it.
            if (look == Looks && generation == Volatile.Read(ref control.Header.IndexGeneration))
            {
                Damage(CacheFiles.Index(_directory, generation), 0, table is null ? fault : "the links of its buckets are damaged");
                return;
            }

            Thread.Sleep(look);
        }
    }

    private void InspectEntries(CacheControl control, SegmentMap segments, IndexTable table)
    {
        for (var walk = new IndexWalk(table); walk.MoveNext();)
        {
            var location = IndexWord.Location(walk.Word);
            var slot = segments.SlotOf(location);
            var isLost = slot >= control.SlotCount || segments.OffsetOf(location) < SegmentHeader.Bytes || segments.OffsetOf(location) >= segments.RecordsEnd
                || (_walked.Contains(slot) && !segments.Staged.Contains(location) && segments.TryRead(slot, segments.OffsetOf(location), out var record) && record.IsWhole(location) && (XxHash64.Hash(record.Key) & HashMask) != walk.Hash);
            if (isLost && IsStillThere(walk.Cell, walk.Word))
            {
                Damage(CacheFiles.Index(_directory, table.Generation), null, $"an entry of bucket {walk.Chain} leads to slot {slot} at {segments.OffsetOf(location)}, where its key is not");
            }
        }

        bool IsStillThere(IndexCell cell, ulong word)
        {
            // The record is read before the entry: its segment is reused after the entry has left it.
            Volatile.ReadBarrier();
            return IndexWord.Identity(cell.Word) == IndexWord.Identity(word) && Volatile.Read(ref control.Header.IndexGeneration) == table.Generation;
        }
    }

    private void InspectFiles(CacheControl control)
    {
        var generation = Volatile.Read(ref control.Header.IndexGeneration);
        foreach (var path in Directory.EnumerateFileSystemEntries(_directory).Order(StringComparer.Ordinal))
        {
            if (!IsKnown(control, path, generation) && (File.Exists(path) || Directory.Exists(path)))
            {
                _findings.Add(new CacheFinding(
                    CacheFindingKind.Orphan, path, Offset: null, path.EndsWith("." + CacheFiles.UnfinishedSuffix, StringComparison.Ordinal) ? "an unfinished file: a process is creating it now, or died while it created it" : "the cache has no such file"));
            }
        }
    }

    private bool IsKnown(CacheControl control, string path, long generation)
    {
        var name = Path.GetFileNameWithoutExtension(path);
        return Path.GetExtension(path) switch
        {
            ".segment" => int.TryParse(name, NumberStyles.None, CultureInfo.InvariantCulture, out var slot) && slot < control.SlotCount && Volatile.Read(ref control.Slot(slot).State) != SlotState.Absent,
            ".schema" => ulong.TryParse(name, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out _),
            ".lease" or ".pins" => true,
            _ => path == CacheFiles.Control(_directory) || path == CacheFiles.Index(_directory, generation) || path == CacheFiles.Tags(_directory) || path == CacheFiles.Staged(_directory) || path == CacheFiles.Sharing(_directory),
        };
    }

    private void Damage(string file, long? offset, string rule) => _findings.Add(new CacheFinding(CacheFindingKind.Damage, file, offset, rule));
}
