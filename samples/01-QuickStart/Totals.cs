using System.IO.MemoryMappedFiles;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;

namespace BufferedMessages.Samples.QuickStart;

/// <summary>
/// What the reader knows: files and bytes per extension, the last path, and how the walk ended. It lives in a mapped file in the
/// queue's folder and is updated before a message is committed. Whenever the reader is killed, each message is counted exactly once:
/// everything is kept twice, a message overwrites the older copy and sets its number last, and a message that is counted already
/// is ignored when the queue delivers it again.
/// </summary>
internal sealed unsafe class Totals : IDisposable
{
    // Rows are a hash table: row 0 is for extensions without a row of their own, and the last rows save the wrap-around.
    private const int Buckets = 16 * 1024;
    private const int LongestProbe = 32;
    private const int RowCount = 1 + Buckets + LongestProbe;
    private const int BookmarkBytes = 128 * 1024;
    private const int EndOffset = 2 * BookmarkBytes;
    private const int RowsOffset = EndOffset + 4096;

    private readonly MemoryMappedFile _file;
    private readonly MemoryMappedViewAccessor _view;
    private readonly byte* _start;

    /// <summary>Opens the totals in a directory, or begins them. Only the process that holds the consumer name may do that.</summary>
    public Totals(string directory)
    {
        var bytes = RowsOffset + (RowCount * Unsafe.SizeOf<ExtensionRow>());
        _file = MemoryMappedFile.CreateFromFile(Path.Combine(directory, "totals"), FileMode.OpenOrCreate, mapName: null, bytes);
        _view = _file.CreateViewAccessor(0, bytes);
        _view.SafeMemoryMappedViewHandle.AcquirePointer(ref _start);
        Rows[0].Name = "(others)"u8;
        LastNumber = End.Number;
        foreach (ref var row in Rows)
        {
            LastNumber = Math.Max(LastNumber, row.Count.Number);
        }
    }

    /// <summary>The number of the last message that is counted; 0 before the first.</summary>
    public long LastNumber { get; private set; }

    /// <summary>The path of the last file that is counted; empty before the first.</summary>
    public string LastPath
    {
        get
        {
            var bookmark = Bookmark(LastNumber);
            return Encoding.UTF8.GetString(bookmark.Slice(sizeof(int), MemoryMarshal.Read<int>(bookmark)));
        }
    }

    /// <summary>How the walk ended; its number is 0 as long as it has not.</summary>
    public ref Ending End => ref *(Ending*)(_start + EndOffset);

    private Span<ExtensionRow> Rows => new(_start + RowsOffset, RowCount);

    /// <summary>Counts a message. Allocates nothing.</summary>
    /// <exception cref="InvalidDataException">A message before it is missing.</exception>
    public void Add(FileFoundBufferedMessage file)
    {
        var number = file.Number;
        if (number <= LastNumber)
        {
            return;
        }

        if (number != LastNumber + 1)
        {
            throw new InvalidDataException($"Message {number} came after message {LastNumber}: one was lost, or two changed places.");
        }

        if (file.End.IsNull)
        {
            SetBookmark(number, file.Path);
            RowOf(file.Extension).Add(number, file.Bytes);
        }
        else
        {
            End.Set(number, file.End);
        }

        LastNumber = number;
    }

    /// <summary>All files and bytes. While messages are being counted, it may lack a few.</summary>
    public ExtensionCount Sum()
    {
        var sum = default(ExtensionCount);
        foreach (ref var row in Rows)
        {
            sum.Files += row.Count.Files;
            sum.Bytes += row.Count.Bytes;
        }

        return sum;
    }

    /// <summary>The extensions with the most bytes, largest first, and then the sum of all others.</summary>
    public IReadOnlyList<(string Extension, ExtensionCount Count)> Largest(int limit)
    {
        var rows = new List<(string Extension, ExtensionCount Count)>();
        foreach (ref var row in Rows[1..])
        {
            if (row.Count.Files != 0)
            {
                rows.Add((Encoding.UTF8.GetString(row.Name), row.Count));
            }
        }

        rows = [.. rows.OrderByDescending(static row => row.Count.Bytes).ThenBy(static row => row.Extension, StringComparer.Ordinal)];
        var others = Rows[0].Count;
        foreach (var (_, count) in rows.Skip(limit))
        {
            others.Files += count.Files;
            others.Bytes += count.Bytes;
        }

        return others.Files == 0 ? rows : [.. rows.Take(limit), (Encoding.UTF8.GetString(Rows[0].Name), others)];
    }

    public void Dispose()
    {
        _view.SafeMemoryMappedViewHandle.ReleasePointer();
        _view.Dispose();
        _file.Dispose();
    }

    // The hash of a buffered string is the same in every process, so a later process finds the rows again.
    private ref ExtensionRow RowOf(BufferedString extension)
    {
        var rows = Rows;
        var bucket = 1 + (extension.GetHashCode() & (Buckets - 1));
        for (var i = bucket; i < bucket + LongestProbe && extension.Length <= ExtensionRow.LongestName; i++)
        {
            ref var row = ref rows[i];
            if (row.Count.Number == 0)
            {
                row.Name = extension;
            }

            if (row.Name.SequenceEqual(extension.Utf8))
            {
                return ref row;
            }
        }

        return ref rows[0];
    }

    private void SetBookmark(long number, BufferedString path)
    {
        var bookmark = Bookmark(number);
        MemoryMarshal.Write(bookmark, path.Length);
        path.Utf8.CopyTo(bookmark[sizeof(int)..]);
    }

    private Span<byte> Bookmark(long number) => new(_start + (number % 2 * BookmarkBytes), BookmarkBytes);
}
