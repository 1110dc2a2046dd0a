using System.Diagnostics;

namespace BufferedMessages.Caching;

/// <summary>
/// The segments as the process that writes knows them: the open ones, their age, and their live bytes. It is written through to the control file, for the process that
/// opens the cache next. Only the counts are read back from there, because noise in them can do no more than select the wrong segment.
/// </summary>
internal sealed class SegmentBook
{
    /// <summary>The expiry of a segment without records that expire.</summary>
    public const long NeverExpires = long.MaxValue;

    private readonly CacheControl _control;
    private readonly long _recordsEnd;
    private readonly int[] _states;
    private readonly ulong[] _openSequences;
    private readonly bool[] _areCarried;
    private readonly long[] _ends;
    private readonly long[] _expiries;

    /// <param name="control">The control file, whose table of slots was checked.</param>
    public SegmentBook(CacheControl control)
    {
        _control = control;
        _recordsEnd = DeadMarks.StartOf(control.SegmentBytes);
        _states = new int[control.SlotCount];
        _openSequences = new ulong[control.SlotCount];
        _areCarried = new bool[control.SlotCount];
        _ends = new long[control.SlotCount];
        _expiries = new long[control.SlotCount];
        for (var slot = 0; slot < control.SlotCount; slot++)
        {
            ref var state = ref control.Slot(slot);
            var end = (long)state.EndUnits << IndexWord.UnitShift;
            _states[slot] = state.State;
            UsedSlots = state.State == SlotState.Absent ? UsedSlots : slot + 1;
            _openSequences[slot] = state.OpenSequence;
            _areCarried[slot] = (state.Flags & SlotState.Carried) != 0;
            _ends[slot] = end is > 0 && end <= _recordsEnd ? end : _recordsEnd;

            // Zero means that the records must be looked at.
            _expiries[slot] = (state.Flags & SlotState.Expiring) != 0 ? 0 : NeverExpires;
        }
    }

    /// <summary>Gets the length of the table of slots.</summary>
    public int SlotCount => _states.Length;

    /// <summary>Gets the number of slots from the first one to the last one that has had a file.</summary>
    public int UsedSlots { get; private set; }

    /// <summary>Gets the bytes of a segment.</summary>
    public long SegmentBytes => _control.SegmentBytes;

    /// <summary>Gets whether the slot has a file with records.</summary>
    public bool IsOpen(int slot) => Volatile.Read(ref _states[slot]) == SlotState.Open;

    public bool IsFree(int slot) => Volatile.Read(ref _states[slot]) == SlotState.Free;

    public bool IsAbsent(int slot) => Volatile.Read(ref _states[slot]) == SlotState.Absent;

    /// <summary>Gets the sequence number at which the segment was opened. The oldest segment has the smallest.</summary>
    public ulong OpenSequence(int slot) => _openSequences[slot];

    /// <summary>Gets whether the segment was opened for entries from other segments.</summary>
    public bool IsCarried(int slot) => _areCarried[slot];

    /// <summary>Gets the bytes of the records to which entries lead.</summary>
    public long LiveBytes(int slot) => Math.Clamp(SlotState.LiveBytesOf(_control.ReadCounts(slot)), 0, SegmentBytes);

    /// <summary>Gets the bytes that emptying a full segment gains: those of its records to which no entry leads.</summary>
    public long DeadBytes(int slot) => Math.Max(_ends[slot] - SegmentHeader.Bytes - LiveBytes(slot), 0);

    /// <summary>Gets whether the counts of a segment are not zero.</summary>
    public bool HasCounts(int slot) => _control.ReadCounts(slot) != 0;

    /// <summary>Gets the time until which hardly anything in the segment expires, in milliseconds since 1970 UTC.</summary>
    public long Expiry(int slot) => Volatile.Read(ref _expiries[slot]);

    /// <summary>Counts an entry that leads to a record.</summary>
    /// <param name="slot">The slot of the record's segment.</param>
    /// <param name="recordBytes">The bytes of the record.</param>
    /// <param name="lane">The lane that the caller has taken, or <see cref="WriteLanes.None"/>.</param>
    public void Add(int slot, long recordBytes, int lane) => _control.AddCounts(slot, lane, SlotState.CountOf(recordBytes));

    /// <summary>Counts an entry that has left a record.</summary>
    /// <inheritdoc cref="Add" path="/param"/>
    public void Subtract(int slot, long recordBytes, int lane) => _control.AddCounts(slot, lane, -SlotState.CountOf(recordBytes));

    /// <summary>Clears the counts. No thread changes an entry that leads to the segment.</summary>
    public void ClearCounts(int slot) => _control.SetCounts(slot, 0);

    /// <summary>Notes that a record expires.</summary>
    /// <param name="slot">The slot of its segment.</param>
    /// <param name="time">When, in milliseconds since 1970 UTC.</param>
    public void NoteExpiry(int slot, long time)
    {
        ref var expiry = ref _expiries[slot];
        for (var known = Volatile.Read(ref expiry); time < known; known = Volatile.Read(ref expiry))
        {
            if (known == NeverExpires)
            {
                Interlocked.Or(ref _control.Slot(slot).Flags, SlotState.Expiring);
            }

            Interlocked.CompareExchange(ref expiry, time, known);
        }
    }

    /// <summary>Replaces the time of <see cref="Expiry"/> after a look at the records, unless a record was noted since.</summary>
    public void ReplaceExpiry(int slot, long known, long time) => Interlocked.CompareExchange(ref _expiries[slot], time, known);

    /// <summary>Notes a new file, which is free.</summary>
    public void Create(int slot)
    {
        Debug.Assert(IsAbsent(slot), "Another file has the slot.");
        ref var state = ref _control.Slot(slot);
        state.File++;
        ClearCounts(slot);
        UsedSlots = Math.Max(UsedSlots, slot + 1);
        SetState(slot, SlotState.Free);
    }

    /// <summary>Notes that records are written to a free segment.</summary>
    public void Open(int slot, ulong sequence, bool isCarried)
    {
        Debug.Assert(IsFree(slot), "A segment with entries would be overwritten.");
        _openSequences[slot] = sequence;
        _areCarried[slot] = isCarried;
        _ends[slot] = _recordsEnd;
        _expiries[slot] = NeverExpires;
        ref var state = ref _control.Slot(slot);

        // Stored after the header of the segment, and read before it: an inspection that finds this number also finds the header of the same use.
        Volatile.Write(ref state.OpenSequence, sequence);
        state.EndUnits = 0;
        state.Flags = isCarried ? SlotState.Carried : 0;
        SetState(slot, SlotState.Open);
    }

    /// <summary>Notes that records are added to a segment of an earlier process. After a crash of the machine its end may have been noted already.</summary>
    public void Resume(int slot)
    {
        _ends[slot] = _recordsEnd;
        _control.Slot(slot).EndUnits = 0;
    }

    /// <summary>Notes that a segment is full. Threads may still write to it.</summary>
    public void Fill(int slot, long end) => _ends[slot] = end;

    /// <summary>Notes that threads no longer write to a full segment.</summary>
    public void Settle(int slot)
    {
        ref var end = ref _control.Slot(slot).EndUnits;
        if (end == 0)
        {
            end = (uint)(_ends[slot] >> IndexWord.UnitShift);
        }
    }

    /// <summary>Notes that no entry leads to the segment, and no lease holds it.</summary>
    public void Free(int slot) => SetState(slot, SlotState.Free);

    /// <summary>Notes that a lease holds a free segment: it counts as one that was emptied and is waited for.</summary>
    public void PutAside(int slot)
    {
        Debug.Assert(IsFree(slot), "A segment with entries would be emptied.");
        _openSequences[slot] = 0;
        _control.Slot(slot).OpenSequence = 0;
        SetState(slot, SlotState.Open);
    }

    /// <summary>Notes that the file of a free segment is deleted.</summary>
    public void Delete(int slot) => SetState(slot, SlotState.Absent);

    private void SetState(int slot, int state)
    {
        Volatile.Write(ref _control.Slot(slot).State, state);
        Volatile.Write(ref _states[slot], state);
    }
}
