using System.Diagnostics;
using System.IO.MemoryMappedFiles;
using System.Runtime.CompilerServices;
using BufferedMessages.Segments;

namespace BufferedMessages.CrossProcess.Torture;

/// <summary>What the processes of a round note in a mapped file, so that it survives their deaths.</summary>
internal sealed unsafe class RoundNotes : IDisposable
{
    public const int MaxWorkers = 8_192;
    public const int MaxIncarnations = 16_384;
    public const int MaxNames = 4;

    /// <summary>Numbers of one incarnation; then its producer goes on as another.</summary>
    public const int MaxNumbers = 4_096;

    public const int LatencyBuckets = 40;

    private static readonly int Points = Enum.GetValues<FaultPoint>().Length;
    private static readonly int Kinds = Enum.GetValues<WorkerKind>().Length;

    private const int TimedIncarnations = 64;
    private const int TimedNumbers = 1_024;

    private readonly MemoryMappedFile _file;
    private readonly MemoryMappedViewAccessor _view;
    private readonly byte* _start;
    private readonly string _log;

    public RoundNotes(string path)
    {
        _log = path + ".faults";
        var bytes = sizeof(Header) + ((long)MaxWorkers * sizeof(Worker)) + ((long)MaxIncarnations * sizeof(int))
            + ((long)MaxNames * MaxIncarnations * (sizeof(int) + MaxNumbers)) + ((long)TimedIncarnations * TimedNumbers * sizeof(Timed))
            + (Kinds * Points);
        _file = MemoryMappedFile.CreateFromFile(path, FileMode.OpenOrCreate, null, bytes);
        _view = _file.CreateViewAccessor();
        _view.SafeMemoryMappedViewHandle.AcquirePointer(ref _start);
    }

    public ref Header Head => ref *(Header*)_start;

    private Worker* Workers => (Worker*)(_start + sizeof(Header));

    private int* PublishedCounts => (int*)(Workers + MaxWorkers);

    private int* NextNumbers => PublishedCounts + MaxIncarnations;

    private byte* States => (byte*)(NextNumbers + (MaxNames * MaxIncarnations));

    private Timed* Times => (Timed*)(States + ((long)MaxNames * MaxIncarnations * MaxNumbers));

    private bool* ReachedPoints => (bool*)(Times + ((long)TimedIncarnations * TimedNumbers));

    /// <summary>What was reported so far, in words.</summary>
    public string Report => File.Exists(_log) ? File.ReadAllText(_log) : "";

    /// <summary>The round has failed.</summary>
    public bool HasFaults => (Head.Halved | Head.Corrupt | Head.Disordered | Head.Unflagged | Head.Stalled) != 0;

    public ref Worker WorkerAt(int index) => ref Workers[Checked(index, MaxWorkers)];

    /// <summary>So many messages of the incarnation are published for certain; one more, or one more batch, may be.</summary>
    public ref int Published(int incarnation) => ref PublishedCounts[Checked(incarnation, MaxIncarnations)];

    /// <summary>The number that an exclusive name must get next from an incarnation.</summary>
    public ref int Next(int name, int incarnation) =>
        ref NextNumbers[(Checked(name, MaxNames) * MaxIncarnations) + Checked(incarnation, MaxIncarnations)];

    /// <summary>Notes something about a message, and gives what was noted before.</summary>
    public Delivery Note(int name, int incarnation, int number, Delivery more)
    {
        var index = ((((long)Checked(name, MaxNames) * MaxIncarnations) + Checked(incarnation, MaxIncarnations)) * MaxNumbers) + Checked(number, MaxNumbers);
        ref var state = ref States[index];
        byte before;
        do
        {
            before = Volatile.Read(ref state);
        }
        while (Interlocked.CompareExchange(ref state, Next(before, more), before) != before);
        return (Delivery)before;
    }

    /// <summary>A process of this kind came to the fault point.</summary>
    public ref bool Reached(WorkerKind kind, FaultPoint point) =>
        ref ReachedPoints[(Checked((int)kind, Kinds) * Points) + Checked((int)point, Points)];

    /// <summary>Notes when a message's publish returned.</summary>
    public void NoteTime(int incarnation, int number)
    {
        ref var timed = ref Times[((incarnation % TimedIncarnations) * TimedNumbers) + (number % TimedNumbers)];
        Volatile.Write(ref timed.Message, -1);
        timed.Time = Stopwatch.GetTimestamp();
        Volatile.Write(ref timed.Message, ((long)incarnation << 32) | (uint)number);
    }

    /// <summary>When a message's publish returned, if that is still known.</summary>
    public long? TimeOf(int incarnation, int number)
    {
        ref var timed = ref Times[((incarnation % TimedIncarnations) * TimedNumbers) + (number % TimedNumbers)];
        return Volatile.Read(ref timed.Message) == (((long)incarnation << 32) | (uint)number) ? timed.Time : null;
    }

    /// <summary>Counts a fault and says it in words.</summary>
    public void Fault(ref long count, string text)
    {
        Interlocked.Increment(ref count);
        lock (_log)
        {
            File.AppendAllText(_log, $"{Environment.ProcessId}: {text}\n");
        }
    }

    public void Dispose()
    {
        _view.SafeMemoryMappedViewHandle.ReleasePointer();
        _view.Dispose();
        _file.Dispose();
    }

    // A message that was given back is so until it comes again.
    private static byte Next(byte before, Delivery more) =>
        (byte)((more == Delivery.Delivered ? before & ~(int)Delivery.Abandoned : before) | (int)more);

    private static int Checked(int index, int count)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual((uint)index, (uint)count);
        return index;
    }

    internal struct Header
    {
        /// <summary>Every consumer name exists: what is published from now on must come to each.</summary>
        public bool IsBegun;

        /// <summary>Producers end.</summary>
        public bool Stop;

        /// <summary>Consumers end.</summary>
        public bool Drain;

        public int Incarnations;
        public long Halved;
        public long Corrupt;
        public long Disordered;
        public long Unflagged;
        public long Stalled;
        public long EmptyPublished;
        public PerName Delivered;
        public PerName EmptyDelivered;
        public PerName Openings;
        public Histogram Wakes;
    }

    internal struct Worker
    {
        public WorkerState State;
        public bool IsPaused;
        public long Progress;

        /// <summary>Counted by a thread of its own: so long could the process run.</summary>
        public long Beats;
    }

    [InlineArray(MaxNames)]
    internal struct PerName
    {
        private long _first;
    }

    /// <summary>Counts of times, by powers of two of a microsecond.</summary>
    [InlineArray(LatencyBuckets)]
    internal struct Histogram
    {
        private long _first;
    }

    private struct Timed
    {
        public long Message;
        public long Time;
    }
}

/// <summary>What became of a message for a consumer name.</summary>
[Flags]
internal enum Delivery : byte
{
    None = 0,
    Delivered = 1,
    Committed = 2,
    Abandoned = 4,
}

/// <summary>Where a process of a round is.</summary>
internal enum WorkerState
{
    NotStarted,
    Opening,
    Running,
    Ended,
}
