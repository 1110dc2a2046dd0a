using System.IO.MemoryMappedFiles;

namespace BufferedMessages.Sessions;

/// <summary>
/// A file that the processes of a session map beside the queue: for the floors, and for what they must agree on. Words that
/// different processes write have two cache lines each.
/// <code>
///    0  i64 producers that still publish        128  i64 messages that were read from the bare ring
///  256  i64 calls of the bare round trip        384  i64 answers
///  512  u32 the bare futex: wakes               640  i64 when it was woken last      768  i64 wakes that the sleeper has seen
/// 4096  the bare ring
/// </code>
/// </summary>
internal sealed unsafe class SharedMemory : IDisposable
{
    private const string FileName = "floor";
    private const int HeaderBytes = 4096;

    private readonly MemoryMappedFile _file;
    private readonly MemoryMappedViewAccessor _view;
    private readonly byte* _start;

    private SharedMemory(MemoryMappedFile file)
    {
        _file = file;
        _view = file.CreateViewAccessor();
        _view.SafeMemoryMappedViewHandle.AcquirePointer(ref _start);
    }

    public long* BusyProducers => (long*)_start;

    public long* RingCursor => (long*)(_start + 128);

    public long* Calls => (long*)(_start + 256);

    public long* Answers => (long*)(_start + 384);

    public uint* Futex => (uint*)(_start + 512);

    public long* WokenAt => (long*)(_start + 640);

    /// <summary>How often the sleeper was awake: the waker goes on when it was.</summary>
    public long* Awake => (long*)(_start + 768);

    public byte* Ring => _start + HeaderBytes;

    public static SharedMemory Create(string directory, long ringBytes = 0) =>
        new(MemoryMappedFile.CreateFromFile(Path.Combine(directory, FileName), FileMode.CreateNew, mapName: null, HeaderBytes + ringBytes));

    public static SharedMemory Open(string directory) => new(MemoryMappedFile.CreateFromFile(Path.Combine(directory, FileName), FileMode.Open));

    public void Dispose()
    {
        _view.SafeMemoryMappedViewHandle.ReleasePointer();
        _view.Dispose();
        _file.Dispose();
    }
}
