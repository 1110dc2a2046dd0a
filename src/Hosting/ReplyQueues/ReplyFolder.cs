using System.Buffers;
using System.Globalization;

namespace BufferedMessages.Hosting;

/// <summary>
/// The places of the reply queues of a queue of requests: <c>replies/process-random</c> in its folder. Each belongs to one client, which is the consumer <see cref="ClientName"/>. A reply queue whose client
/// is dead is of no use to any process, and any may delete it.
/// </summary>
internal static class ReplyFolder
{
    /// <summary>The consumer name of the client in its reply queue.</summary>
    public const string ClientName = "client";

    private const int MostNameBytes = 64;
    private const int DeleteAttempts = 3;

    private static readonly SearchValues<byte> NameBytes = SearchValues.Create("0123456789abcdef-"u8);

    // A queue without a client may be one that a client is opening; participants are read before names, so its name may be there before it is.
    private static readonly TimeSpan Opening = TimeSpan.FromMinutes(1);

    /// <summary>The folder of the reply queues.</summary>
    public static string Of(string queuePath) => Path.Combine(queuePath, "replies");

    /// <summary>A new name, which is also the address to which replies are sent.</summary>
    public static string NewName() => string.Create(CultureInfo.InvariantCulture, $"{Environment.ProcessId}-{Guid.NewGuid():N}");

    /// <summary>Whether an address of a request is a name, and so cannot lead out of the folder.</summary>
    public static bool IsName(ReadOnlySpan<byte> address) => address.Length is > 0 and <= MostNameBytes && !address.ContainsAnyExcept(NameBytes);

    /// <summary>Opens a reply queue that is there. That of another user can be written to only if the queue of requests is meant for several.</summary>
    public static MessageQueue Open(string path, MessageQueue requests)
    {
        var replies = requests.Permissions.AreForOthers ? requests.OpenWithin(path, new MessageQueueOptions { Mode = QueueMode.Bounded }) : MessageQueue.OpenExisting(path);
        replies.LeaveOutOfMetrics();
        return replies;
    }

    /// <summary>Whether the client of a reply queue is alive, or may be opening it.</summary>
    public static bool HasClient(string path)
    {
        try
        {
            using var queue = MessageQueue.OpenExisting(path);
            if (queue.GetStatistics().Consumers.FirstOrDefault(static consumer => consumer.Name == ClientName) is { Members: { Count: > 0 } members })
            {
                return members.Any(static member => member.IsAlive);
            }
        }
        catch (Exception exception) when (exception is FileNotFoundException or DirectoryNotFoundException or QueueCorruptedException or StaleQueueException)
        {
            // Its files are being created, or are damaged or gone.
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or NotSupportedException)
        {
            // The system cannot tell now, as with too many open files, or a later version made it. The queue of a client that may be alive stays.
            return true;
        }

        return DateTime.UtcNow - Directory.GetCreationTimeUtc(path) < Opening;
    }

    /// <summary>Deletes the reply queues of clients that are dead.</summary>
    public static void Sweep(string queuePath)
    {
        var folder = Of(queuePath);
        if (!Directory.Exists(folder))
        {
            return;
        }

        foreach (var path in Directory.EnumerateDirectories(folder))
        {
            if (!HasClient(path))
            {
                Delete(path);
            }
        }
    }

    /// <summary>Deletes a reply queue. Responders that have it open notice that its files are gone.</summary>
    public static void Delete(string path)
    {
        // A responder that is joining creates a file in the folder while it is being emptied. Once the control file is gone, none joins.
        for (var attempt = 0; attempt < DeleteAttempts && Directory.Exists(path); attempt++)
        {
            try
            {
                Directory.Delete(path, recursive: true);
            }
            catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
            {
                // Another process deletes it as well, or has it mapped on Windows. A later sweep deletes the rest.
            }
        }
    }

    /// <summary>
    /// Whether an exception means that a queue cannot be used: it is gone, damaged, closed, or another user's. Other failures of the system, such as too many open files, say nothing about its client.
    /// </summary>
    public static bool IsLoss(Exception exception) => exception is
        FileNotFoundException or DirectoryNotFoundException or UnauthorizedAccessException or QueueCorruptedException or StaleQueueException or ObjectDisposedException;
}
