using System.IO.MemoryMappedFiles;

namespace BufferedMessages.CrossProcess;

/// <summary>A few numbers in a mapped file, so that what a process noted survives its death at any moment.</summary>
internal sealed unsafe class Notes : IDisposable
{
    private const int Count = 1_024;

    private readonly MemoryMappedFile _file;
    private readonly MemoryMappedViewAccessor _view;
    private readonly long* _numbers;

    public Notes(string path)
    {
        _file = MemoryMappedFile.CreateFromFile(path, FileMode.OpenOrCreate, null, Count * sizeof(long));
        _view = _file.CreateViewAccessor();
        byte* start = null;
        _view.SafeMemoryMappedViewHandle.AcquirePointer(ref start);
        _numbers = (long*)start;
    }

    public long this[int index]
    {
        get => Volatile.Read(ref _numbers[Checked(index)]);
        set => Volatile.Write(ref _numbers[Checked(index)], value);
    }

    public void Dispose()
    {
        _view.SafeMemoryMappedViewHandle.ReleasePointer();
        _view.Dispose();
        _file.Dispose();
    }

    private static int Checked(int index)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual((uint)index, (uint)Count);
        return index;
    }
}
