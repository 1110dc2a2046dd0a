using System.Runtime.InteropServices;
using BufferedMessages.Segments;

namespace BufferedMessages.Caching;

/// <summary>The owner's producers in the queues of answers, one for each process that asks. One thread uses them.</summary>
internal sealed class AnswerLines(string directory, FilePermissions permissions) : IDisposable
{
    private const long CheckMilliseconds = 2_000;

    private readonly Dictionary<Guid, Line> _lines = [];
    private long _nextCheck = Environment.TickCount64 + CheckMilliseconds;

    /// <summary>Answers a change. An answer for which the queue has no room waits. One that cannot be sent, because its process is dead or the queue is damaged, is dropped with the queue.</summary>
    public void Answer(Guid name, ChangeAnswer answer)
    {
        try
        {
            if (!_lines.TryGetValue(name, out var line))
            {
                line = Open(name);
                _lines.Add(name, line);
            }

            answer.Seal();
            line.Waiting.Enqueue(answer);
            line.Send();
        }
        catch (Exception exception) when (IsOfQueue(exception))
        {
            Drop(name);
        }
    }

    /// <summary>Sends the waiting answers, as far as there is room.</summary>
    public void SendWaiting()
    {
        foreach (var (name, line) in _lines)
        {
            try
            {
                line.Send();
            }
            catch (Exception exception) when (IsOfQueue(exception))
            {
                Drop(name);
                return;
            }
        }
    }

    /// <summary>Closes the lines of dead processes and deletes their files, at most every two seconds.</summary>
    public void CloseDead()
    {
        if (Environment.TickCount64 < _nextCheck)
        {
            return;
        }

        _nextCheck = Environment.TickCount64 + CheckMilliseconds;
        foreach (var name in _lines.Keys.ToList())
        {
            using var lease = FileLease.TryAcquire(SharingFiles.AnswersLease(directory, name), permissions);
            if (lease is not null)
            {
                Close(name);
                SharingFiles.TryDeleteQueue(SharingFiles.Answers(directory, name));
                CacheFiles.TryDelete(SharingFiles.AnswersLease(directory, name));
            }
        }

        SharingFiles.DeleteContentOfDead(directory, permissions);
    }

    public void Dispose()
    {
        foreach (var name in _lines.Keys.ToList())
        {
            Close(name);
        }
    }

    /// <summary>Determines whether an exception concerns the files of a queue, which another queue then replaces.</summary>
    public static bool IsOfQueue(Exception exception) =>
        exception is QueueCorruptedException or QueueInUseException or StaleQueueException or MessagesDeletedException or IOException or UnauthorizedAccessException
            or InvalidOperationException or NotSupportedException or InvalidDataException;

    private Line Open(Guid name)
    {
        var queue = MessageQueue.OpenExisting(SharingFiles.Answers(directory, name));
        try
        {
            return new Line(queue, queue.OpenProducer());
        }
        catch
        {
            queue.Dispose();
            throw;
        }
    }

    // The process may not notice that its queue is damaged, and would wait for the answer until its timeout. It soon notices that the queue is gone, and asks again through another one.
    private void Drop(Guid name)
    {
        Close(name);
        SharingFiles.TryDeleteFolder(SharingFiles.Answers(directory, name));
    }

    private void Close(Guid name)
    {
        if (_lines.Remove(name, out var line))
        {
            line.Dispose();
        }
    }

    private sealed class Line(MessageQueue queue, MessageProducer producer) : IDisposable
    {
        /// <summary>Gets the answers that are not sent yet: a process that is slow or paused waits for each of them.</summary>
        public Queue<ChangeAnswer> Waiting { get; } = [];

        public void Send()
        {
            while (Waiting.TryPeek(out var answer) && producer.TryPublish(MemoryMarshal.AsBytes(new ReadOnlySpan<ChangeAnswer>(in answer)), out _))
            {
                Waiting.Dequeue();
            }
        }

        public void Dispose()
        {
            producer.Dispose();
            queue.Dispose();
        }
    }
}
