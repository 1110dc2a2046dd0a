using System.Diagnostics;
using System.Text.Json;
using BufferedMessages.Segments;

namespace BufferedMessages.Bridges;

/// <summary>
/// The journal of a receiver: the file <c>bridges/name.json</c> in the destination's folder. It is replaced as a whole, after the messages that it counts are on the disk. A file beside it is locked while
/// the receiver lives, so a second receiver of the same name is refused.
/// </summary>
internal sealed class ReceiverJournal : IDisposable
{
    private const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    private static readonly TimeSpan FlushTimeout = TimeSpan.FromSeconds(5);

    private readonly MessageQueue _queue;
    private readonly string _path;
    private readonly FileStream _lock;
    private long _writeTime;

    private ReceiverJournal(MessageQueue queue, string path, FileStream @lock)
    {
        _queue = queue;
        _path = path;
        _lock = @lock;
    }

    /// <summary>The time since the last write; null before the first one.</summary>
    public TimeSpan? Age => Volatile.Read(ref _writeTime) is var time and not 0 ? Stopwatch.GetElapsedTime(time) : null;

    /// <exception cref="IOException">Another receiver has this name.</exception>
    public static ReceiverJournal Open(MessageQueue queue, string name)
    {
        var folder = Path.Combine(queue.Path, "bridges");
        if (OperatingSystem.IsWindows())
        {
            Directory.CreateDirectory(folder);
        }
        else
        {
            Directory.CreateDirectory(folder, OwnerOnly | UnixFileMode.UserExecute);
        }

        var path = Path.Combine(folder, name + ".json");
        try
        {
            return new ReceiverJournal(queue, path, new FileStream(path + ".lock", Options(FileMode.OpenOrCreate)));
        }
        catch (IOException exception) when (FileLease.IsHeldByAnother(exception))
        {
            throw new IOException($"A receiver with the name '{name}' is open in the queue in '{queue.Path}'. Close it, or give this one another Name.", exception);
        }
    }

    /// <summary>Reads the last entry; null if there is none, or if it belongs to a queue that was at this path before.</summary>
    public JournalEntry? Read()
    {
        if (!File.Exists(_path))
        {
            return null;
        }

        JournalEntry? entry;
        try
        {
            entry = JsonSerializer.Deserialize(File.ReadAllBytes(_path), JournalJson.Default.JournalEntry);
        }
        catch (JsonException exception)
        {
            throw new QueueCorruptedException(_path, 0, $"the journal of the bridge is damaged ({exception.Message}). Delete it: the messages in the queue name their sources, so none comes twice as long as they are there");
        }

        if (entry is null || entry.Version != JournalEntry.CurrentVersion)
        {
            throw new NotSupportedException($"A later version of the bridge wrote '{_path}'. Update the BufferedMessages.Bridges package.");
        }

        return entry.Destination == _queue.Id ? entry : null;
    }

    /// <summary>Replaces the entry. The messages that it counts are flushed before.</summary>
    /// <param name="chains">The places that are reached.</param>
    /// <param name="offset">The offset of the last entry that was read.</param>
    /// <param name="position">The position of the last message that was published; 0 if there is none.</param>
    /// <returns>False if the messages cannot be flushed yet; the entry before stays.</returns>
    public bool TryWrite(SourceChains chains, StreamOffset offset, long position)
    {
        // A producer that was stopped in the middle of a record holds up the flush.
        if (_queue.Mode == QueueMode.Durable && position != 0 && !_queue.WaitForDurable(position, FlushTimeout))
        {
            return false;
        }

        var entry = new JournalEntry
        {
            Destination = _queue.Id,
            Position = position,
            OffsetMajor = offset.Major,
            OffsetMinor = offset.Minor,
            IsMidway = chains.IsMidway,
            Sources = [.. chains.Places.Select(source => SourceOf(chains, source.Key, source.Value))],
        };
        var creating = _path + ".creating";
        using (var file = new FileStream(creating, Options(FileMode.Create)))
        {
            JsonSerializer.Serialize(file, entry, JournalJson.Default.JournalEntry);
            file.Flush(flushToDisk: true);
        }

        File.Move(creating, _path, overwrite: true);
        Volatile.Write(ref _writeTime, Stopwatch.GetTimestamp());
        return true;
    }

    public void Dispose() => _lock.Dispose();

    private static JournalSource SourceOf(SourceChains chains, Guid queue, ChainPlace place) =>
        new() { Queue = queue, Epoch = place.Epoch, Position = place.Position, AcceptsHole = chains.AcceptsHole(queue) };

    private static FileStreamOptions Options(FileMode mode)
    {
        var options = new FileStreamOptions { Mode = mode, Access = FileAccess.ReadWrite, Share = FileShare.None };
        if (!OperatingSystem.IsWindows())
        {
            options.UnixCreateMode = OwnerOnly;
        }

        return options;
    }
}
