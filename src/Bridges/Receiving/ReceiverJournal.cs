using System.Diagnostics;
using System.Text.Json;
using BufferedMessages.Segments;

namespace BufferedMessages.Bridges;

/// <summary>
/// The journal of a receiver: the file <c>bridges/name.json</c> in the destination's folder. It is replaced as a whole, after the messages that it counts are on the disk. Its name is locked while
/// the receiver lives, so a second receiver of the same name is refused.
/// </summary>
internal sealed class ReceiverJournal : IDisposable
{
    private static readonly TimeSpan FlushTimeout = TimeSpan.FromSeconds(5);

    private readonly MessageQueue _queue;
    private readonly IMessageStream _stream;
    private readonly string _path;
    private readonly JournalLock _lock;
    private long _writeTime;

    private ReceiverJournal(MessageQueue queue, IMessageStream stream, string path, string name)
    {
        _queue = queue;
        _stream = stream;
        _path = path;
        _lock = new JournalLock(queue, path, name);
    }

    /// <summary>The time since the last write; null before the first one.</summary>
    public TimeSpan? Age => Volatile.Read(ref _writeTime) is var time and not 0 ? Stopwatch.GetElapsedTime(time) : null;

    /// <summary>
    /// Whether a receiver must not go on until the entry is written: it began at the end of the stream, and the next one would begin at the end that the stream has then. False again when it is written.
    /// </summary>
    public bool IsRequired { get; set; }

    /// <summary>Opens the journal. New files have the permissions of the queue's: the next receiver may be another user's.</summary>
    /// <exception cref="QueueInUseException">Another receiver has this name.</exception>
    public static ReceiverJournal Open(MessageQueue queue, IMessageStream stream, string name) => new(queue, stream, Path.Combine(queue.Path, "bridges", name + ".json"), name);

    /// <summary>Reads the last entry; null if there is none, or if it belongs to a queue that was at this path before.</summary>
    /// <exception cref="QueueCorruptedException">It is damaged.</exception>
    /// <exception cref="NotSupportedException">A later version wrote it.</exception>
    /// <exception cref="IOException">The disk failed, or the process has too many open files: a receiver that continued without its journal might begin after messages that it has not read.</exception>
    /// <exception cref="UnauthorizedAccessException">The file, or a folder around it, may not be read.</exception>
    public JournalEntry? Read()
    {
        try
        {
            using var journal = JsonDocument.Parse(File.ReadAllBytes(_path));
            RequireKnownVersion(journal.RootElement);
            return journal.Deserialize(JournalJson.Default.JournalEntry) is { Version: JournalEntry.CurrentVersion, System: not null, Stream: not null, Run: not null, Sources: { } sources } entry
                && sources.TrueForAll(static source => source is not null)
                ? entry.Destination == _queue.Id ? entry : null
                : throw new JsonException("A member has a value that it cannot have.");
        }
        catch (Exception exception) when (exception is FileNotFoundException or DirectoryNotFoundException)
        {
            return null;
        }
        catch (JsonException exception)
        {
            throw new QueueCorruptedException(_path, 0, $"the journal of the bridge is damaged ({exception.Message}). Delete it: the messages in the queue name their sources, so none comes twice as long as they are there");
        }
    }

    /// <summary>Replaces the entry. The messages that it counts are flushed before.</summary>
    /// <param name="chains">The places that are reached.</param>
    /// <param name="last">The last entry that was read.</param>
    /// <param name="position">The position of the last message that was published; 0 if there is none.</param>
    /// <returns>False if the messages cannot be flushed yet; the entry before stays.</returns>
    /// <exception cref="IOException">The disk failed; or the messages cannot be flushed yet, and the entry is required.</exception>
    /// <exception cref="QueueInUseException">The folder was deleted, and another receiver has the name by now.</exception>
    /// <exception cref="StaleQueueException">The files of the queue were deleted or replaced.</exception>
    public bool TryWrite(SourceChains chains, ReadEntry last, long position)
    {
        // A producer that was stopped in the middle of a record holds up the flush.
        if (_queue.Mode == QueueMode.Durable && position != 0 && !_queue.WaitForDurable(position, FlushTimeout))
        {
            return IsRequired ? throw NotFlushed() : false;
        }

        var entry = new JournalEntry
        {
            Destination = _queue.Id,
            System = _stream.System,
            Stream = _stream.Name,
            Position = position,
            OffsetMajor = last.Offset.Major,
            OffsetMinor = last.Offset.Minor,
            Run = new JournalPlace { Queue = last.Run.Queue, Epoch = last.Run.End.Epoch, Position = last.Run.End.Position },
            IsMidway = chains.IsMidway,
            Begun = chains.Begun,
            Sources = [.. chains.Places.Select(source => SourceOf(chains, source.Key, source.Value))],
        };
        _lock.Keep();
        var creating = _path + ".creating";
        using (var file = _queue.Permissions.CreateFile(creating, FileShare.None))
        {
            JsonSerializer.Serialize(file, entry, JournalJson.Default.JournalEntry);
            file.Flush(flushToDisk: true);
        }

        File.Move(creating, _path, overwrite: true);
        FlushNames();
        Volatile.Write(ref _writeTime, Stopwatch.GetTimestamp());
        IsRequired = false;
        return true;
    }

    public void Dispose() => _lock.Dispose();

    // After a crash of the machine a receiver without its journal begins at its start again, which may be the end of the stream.
    private void FlushNames()
    {
        if (_queue.Mode != QueueMode.Durable)
        {
            return;
        }

        DiskFlush.OfDirectory(Path.GetDirectoryName(_path)!);
        if (Age is null)
        {
            DiskFlush.OfDirectory(_queue.Path);
        }
    }

    private IOException NotFlushed() => new(
        $"The journal '{_path}' cannot be written yet: the messages of the queue before it are not on the disk, because a producer of the queue does not finish its record. " +
        "If that producer is suspended, let it go on, or end its process.");

    private static JournalSource SourceOf(SourceChains chains, Guid queue, ChainPlace place) =>
        new() { Queue = queue, Epoch = place.Epoch, Position = place.Position, AcceptsHole = chains.AcceptsHole(queue) };

    private void RequireKnownVersion(JsonElement journal)
    {
        if (journal.ValueKind == JsonValueKind.Object && journal.TryGetProperty("version"u8, out var version) && version.ValueKind == JsonValueKind.Number
            && version.GetDouble() > JournalEntry.CurrentVersion)
        {
            throw new NotSupportedException($"A later version of the bridge wrote '{_path}'. Update the BufferedMessages.Bridges package.");
        }
    }
}
