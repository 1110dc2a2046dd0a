using System.IO.MemoryMappedFiles;

namespace BufferedMessages.Hosting.Torture;

/// <summary>
/// The steps of all handlers, in order, in memory that the processes share and that outlives them. Thread-safe. A record of a process that died while it wrote it is empty.
/// </summary>
internal sealed class Journal : IDisposable
{
    private const int HeadBytes = 64;
    private const int RecordBytes = 16;
    private const long MostRecords = 1 << 24;

    private readonly MemoryMappedFile _file;
    private readonly MemoryMappedViewAccessor _view;
    private readonly unsafe byte* _start;

    // SAFETY: the view is as long as the head and all records, and stays mapped until Dispose.
    public unsafe Journal(string path)
    {
        const long Bytes = HeadBytes + (MostRecords * RecordBytes);
        _file = MemoryMappedFile.CreateFromFile(path, FileMode.OpenOrCreate, mapName: null, Bytes);
        _view = _file.CreateViewAccessor(0, Bytes);
        _view.SafeMemoryMappedViewHandle.AcquirePointer(ref _start);
    }

    // SAFETY: as the constructor.
    private unsafe ref long Count => ref *(long*)_start;

    public void Add(in JournalRecord record)
    {
        var index = Interlocked.Increment(ref Count) - 1;
        if (index >= MostRecords)
        {
            throw new InvalidOperationException("The journal is full: let the torture run for a shorter time.");
        }

        Word(index, 0) = record.Number;
        Volatile.Write(ref Word(index, 1), record.Pack());
    }

    /// <summary>Reads all records, in order, without the empty ones.</summary>
    public IEnumerable<JournalRecord> Read()
    {
        var count = Math.Min(Volatile.Read(ref Count), MostRecords);
        for (var i = 0L; i < count; i++)
        {
            if (Volatile.Read(ref Word(i, 1)) is var packed and not 0)
            {
                yield return JournalRecord.Unpack(Word(i, 0), packed);
            }
        }
    }

    public void Dispose()
    {
        _view.SafeMemoryMappedViewHandle.ReleasePointer();
        _view.Dispose();
        _file.Dispose();
    }

    // SAFETY: callers use indexes below MostRecords, and one of the two words of a record.
    private unsafe ref long Word(long index, int word) => ref *(long*)(_start + HeadBytes + (index * RecordBytes) + (word * sizeof(long)));
}
