using System.Text.Json;
using BufferedMessages.Segments;

namespace BufferedMessages.Bridges;

/// <summary>The lock of a receiver's name: a file beside the journal that is locked while the receiver lives. Another file names its process, because not every system lets others read a locked one.</summary>
internal sealed class JournalLock : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(2);

    private readonly MessageQueue _queue;
    private readonly string _name;
    private readonly string _path;
    private readonly string _holderPath;
    private FileLease _lease;

    /// <param name="queue">The destination. New files have the permissions of its files.</param>
    /// <param name="journal">The path of the journal.</param>
    /// <param name="name">The name of the receiver.</param>
    /// <exception cref="QueueInUseException">Another receiver has this name.</exception>
    public JournalLock(MessageQueue queue, string journal, string name)
    {
        _queue = queue;
        _name = name;
        _path = journal + ".lock";
        _holderPath = journal + ".process";
        _lease = Take();
    }

    /// <summary>Takes the lock again if its file was deleted, as with its folder. It is not created in the folder of another queue.</summary>
    /// <exception cref="QueueInUseException">Another receiver has the name by now.</exception>
    /// <exception cref="StaleQueueException">The files of the queue were deleted or replaced.</exception>
    public void Keep()
    {
        if (_lease.IsAt(_path))
        {
            return;
        }

        if (_queue.FindLoss() is { } loss)
        {
            throw loss;
        }

        var lost = _lease;
        _lease = Take();
        lost.Dispose();
    }

    public void Dispose() => _lease.Dispose();

    // The process that has taken the lock writes its name next: until then the file names the one before, which may have been killed. A process of another container is not seen here.
    private FileLease Take()
    {
        _queue.Permissions.CreateFolder(Path.GetDirectoryName(_path)!);
        var deadline = Environment.TickCount64 + (long)Patience.TotalMilliseconds;
        while (true)
        {
            if (FileLease.TryAcquire(_path, _queue.Permissions) is { } lease)
            {
                Sign();
                return lease;
            }

            var holder = ReadHolder();
            if (Environment.TickCount64 > deadline || FileLease.IsAlive(holder.ProcessId))
            {
                throw new QueueInUseException($"The receiver '{_name}' of the queue in '{_queue.Path}'", holder.ProcessId, holder.ProcessStart);
            }

            Thread.Sleep(1);
        }
    }

    private void Sign()
    {
        try
        {
            var holder = new JournalHolder { ProcessId = Environment.ProcessId, ProcessStart = new DateTimeOffset(ThisProcess.StartTicks(), TimeSpan.Zero) };
            using var file = _queue.Permissions.CreateFile(_holderPath, FileShare.ReadWrite | FileShare.Delete);
            JsonSerializer.Serialize(file, holder, JournalJson.Default.JournalHolder);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // As on a full disk, or with too many open files. A second receiver is still refused.
        }
    }

    private JournalHolder ReadHolder()
    {
        try
        {
            using var file = new FileStream(_holderPath, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
            return JsonSerializer.Deserialize(file, JournalJson.Default.JournalHolder) ?? new JournalHolder();
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or JsonException)
        {
            // It is being written at the moment, or could not be written.
            return new JournalHolder();
        }
    }
}
