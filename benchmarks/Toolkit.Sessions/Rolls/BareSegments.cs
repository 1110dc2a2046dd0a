using System.Globalization;
using System.IO.MemoryMappedFiles;

namespace BufferedMessages.Sessions;

/// <summary>Mapped files of a segment's size, filled one after the other with records, and nothing else.</summary>
internal sealed unsafe class BareSegments(SessionOptions options, long round) : IDisposable
{
    private const int HeaderBytes = 16;

    private readonly string _directory = Directory.CreateDirectory(SessionDirectory.QueueOf(options, round, "bare")).FullName;
    private readonly long _segmentBytes = options.SegmentBytes ?? SessionOptions.DurableSegmentBytes;
    private MemoryMappedFile? _file;
    private MemoryMappedViewAccessor? _view;
    private byte* _next;
    private byte* _end;
    private int _files;

    public void Write(byte[] payload)
    {
        if (_end - _next < options.RecordBytes)
        {
            Roll();
        }

        payload.CopyTo(new Span<byte>(_next + HeaderBytes, payload.Length));
        Volatile.Write(ref *(long*)_next, payload.Length);
        _next += options.RecordBytes;
    }

    public void Dispose()
    {
        Unmap();
        Directory.Delete(_directory, recursive: true);
    }

    private void Roll()
    {
        Unmap();
        var path = Path.Combine(_directory, (_files++).ToString(CultureInfo.InvariantCulture));
        _file = MemoryMappedFile.CreateFromFile(path, FileMode.CreateNew, mapName: null, _segmentBytes);
        _view = _file.CreateViewAccessor();
        _view.SafeMemoryMappedViewHandle.AcquirePointer(ref _next);
        _end = _next + _segmentBytes;
    }

    private void Unmap()
    {
        _view?.SafeMemoryMappedViewHandle.ReleasePointer();
        _view?.Dispose();
        _file?.Dispose();
    }
}
