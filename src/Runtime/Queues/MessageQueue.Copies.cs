using BufferedMessages.Queues;
using BufferedMessages.Segments;

namespace BufferedMessages;

/// <content>The parts that bridges and dead letters need, which copy messages from one queue to another, those that reply queues need, and the search for a loss of the control file.</content>
public sealed partial class MessageQueue
{
    /// <summary>The content of the queue; null while it is undecided.</summary>
    /// <exception cref="QueueCorruptedException">The stored text is damaged.</exception>
    internal QueueContent? Content => Use(static handle => StoredContent.ContentOf(handle.Control));

    /// <summary>The fingerprint of the newest schema: a different one means that <see cref="Content"/> has changed.</summary>
    internal ulong ContentFingerprint => Use(static handle => Volatile.Read(ref handle.Control.Header.SchemaFingerprint));

    /// <summary>The permissions of the queue's files.</summary>
    internal FilePermissions Permissions => Use(static handle => handle.Control.Permissions);

    /// <summary>
    /// Opens a queue in a folder of this one, and creates both if they do not exist. New files get the permissions of this queue's files; the options need not name them.
    /// </summary>
    /// <param name="directory">Its directory.</param>
    /// <param name="options">Its options, without permissions.</param>
    /// <inheritdoc cref="Open" path="/exception"/>
    internal MessageQueue OpenWithin(string directory, MessageQueueOptions options)
    {
        var permissions = Permissions;
        permissions.CreateFolder(System.IO.Path.GetDirectoryName(directory)!);
        return OpenOrCreate(directory, options, permissions, QueueMode.Durable);
    }

    /// <summary>Opens a durable queue of dead letters in a folder of this queue, as <see cref="OpenWithin"/> does.</summary>
    /// <param name="directory">Its directory.</param>
    /// <param name="segmentBytes">The size of its segments if it is created; an existing queue keeps its own.</param>
    /// <param name="retention">Its retention; null to leave it as it is.</param>
    /// <inheritdoc cref="Open" path="/exception"/>
    internal MessageQueue OpenDeadLetters(string directory, long segmentBytes, QueueRetention? retention = null) =>
        OpenWithin(directory, new MessageQueueOptions { SegmentBytes = Directory.Exists(directory) && Exists(directory) ? null : segmentBytes, Retention = retention });

    /// <summary>
    /// Leaves the producers and consumers that this handle opens out of the metrics. The series of a queue stay until the process ends: queues with random names would add
    /// more and more of them.
    /// </summary>
    internal void LeaveOutOfMetrics() => _handle.IsMetered = false;

    /// <summary>Whether the queue has a flush mode, by which its producers write messages to the disk.</summary>
    internal bool IsFlushed => Use(static handle => handle.Control.Flush != FlushMode.None);

    /// <summary>Opens a producer of copies of messages of another queue with the same content.</summary>
    /// <param name="content">The content of that queue.</param>
    /// <param name="verify">Whether each message is verified before it is published.</param>
    /// <inheritdoc cref="OpenProducer{TSource}" path="/exception"/>
    internal MessageProducer OpenCopyProducer(QueueContent content, bool verify)
    {
        // Each version is settled, so that the queue knows the same versions as the other one.
        var versions = content.Versions;
        for (var i = 0; ; i++)
        {
            var producer = new MessageProducer(OpenWriter(versions[i], options: null), verify ? PublishCheck.Of(versions[i]) : null);
            if (i == versions.Count - 1)
            {
                return producer;
            }

            producer.Dispose();
        }
    }

    /// <summary>The loss of the queue's control file since this handle was opened; null if it is there.</summary>
    internal StaleQueueException? FindLoss() => Use(static handle =>
    {
        handle.Control.NoteLoss(handle.Control.Path, handle.Control.FindLoss());
        return handle.Control.Loss;
    });

    /// <summary>The id of the message at a position.</summary>
    internal MessageId IdOf(long position) => Use(handle => handle.Control.IdOf(position));

    /// <summary>The position after the last message that ends at a position or before it; null if that message is deleted, or there is none.</summary>
    internal long? EndOfMessageBefore(long position) => Use(handle =>
    {
        for (var number = (position - 1) / SegmentBytes; number >= handle.Segments.First && position > 0; number--)
        {
            if (handle.Segments.TryFindLastMessage(number, position, out var end))
            {
                return (long?)end;
            }
        }

        return null;
    });

    /// <summary>Opens the queue once more, for a reader, which changes no file.</summary>
    /// <exception cref="StaleQueueException">The control file was deleted or replaced since this handle was opened.</exception>
    private QueueHandle OpenAgain()
    {
        ThrowIfLost();
        try
        {
            return QueueHandle.Open(Path, FileAccess.Read);
        }
        catch (FileNotFoundException)
        {
            // It may have been deleted after the first look.
            ThrowIfLost();
            throw;
        }
    }

    private void ThrowIfLost()
    {
        if (FindLoss() is { } loss)
        {
            throw loss;
        }
    }
}
