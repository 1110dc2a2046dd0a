using System.Globalization;
using BufferedMessages.Segments;

namespace BufferedMessages.Caching;

/// <summary>The files by which processes share a cache: queues for changes and answers, large keys and values, and the note of the owner.</summary>
internal static class SharingFiles
{
    private const string ChangesPrefix = "changes-";
    private const string AnswersPrefix = "answers-";
    private const string ContentPrefix = "content-";
    private const string LeaseSuffix = ".lease";
    private const long ChangesSegmentBytes = 1024 * 1024;
    private const long AnswersSegmentBytes = 64 * 1024;
    private const int Slots = 4;
    private const int NameCharacters = 32;
    private const UnixFileMode OfGroup = UnixFileMode.GroupRead | UnixFileMode.GroupWrite;

    public static string Changes(string directory, Guid name) => In(directory, ChangesPrefix, name);

    public static string Answers(string directory, Guid name) => In(directory, AnswersPrefix, name);

    /// <summary>Gets the file that the reader of answers has locked.</summary>
    public static string AnswersLease(string directory, Guid name) => Answers(directory, name) + LeaseSuffix;

    /// <summary>Gets the file with a large key and value, on its way from the process with a queue of answers.</summary>
    public static string Content(string directory, Guid answers, Guid name) => $"{In(directory, ContentPrefix, answers)}-{name:N}";

    public static string Flights(string directory) => Path.Combine(CacheFiles.Sharing(directory), "flights");

    public static MessageQueueOptions ChangesOptions(FilePermissions permissions) => Options(permissions, ChangesSegmentBytes);

    public static MessageQueueOptions AnswersOptions(FilePermissions permissions) => Options(permissions, AnswersSegmentBytes);

    /// <summary>Reads the owner's note; the default value when no owner has announced its queue, or the file is damaged.</summary>
    public static OwnerNote ReadOwner(string directory)
    {
        try
        {
            return OwnerNote.Read(File.ReadAllBytes(CacheFiles.Owner(directory)));
        }
        catch (Exception exception) when (exception is FileNotFoundException or DirectoryNotFoundException)
        {
            return default;
        }
    }

    /// <summary>Announces the owner's queue in one step.</summary>
    public static void Announce(string directory, Guid name, FilePermissions permissions)
    {
        var temporary = $"{CacheFiles.Owner(directory)}.{CacheFiles.UnfinishedSuffix}";
        CacheFiles.TryDelete(temporary);
        using (var file = permissions.CreateFile(temporary, FileShare.None))
        {
            file.Write(OwnerNote.Of(name).ToBytes());
        }

        File.Move(temporary, CacheFiles.Owner(directory), overwrite: true);
    }

    /// <summary>Deletes the files that earlier owners and dead processes have left. The caller holds the writer's lease, and has announced no queue yet.</summary>
    public static void DeleteLeftovers(string directory, FilePermissions permissions)
    {
        foreach (var path in Directory.EnumerateFiles(CacheFiles.Sharing(directory), ContentPrefix + "*"))
        {
            CacheFiles.TryDelete(path);
        }

        foreach (var path in Directory.EnumerateDirectories(CacheFiles.Sharing(directory), ChangesPrefix + "*"))
        {
            TryDeleteQueue(path);
        }

        foreach (var path in Directory.EnumerateFiles(CacheFiles.Sharing(directory), AnswersPrefix + "*" + LeaseSuffix))
        {
            TryDeleteAnswers(path, permissions);
        }

        // A process that leaves before the owner cannot delete the queue, to which the owner still writes.
        foreach (var path in Directory.EnumerateDirectories(CacheFiles.Sharing(directory), AnswersPrefix + "*"))
        {
            TryDeleteAnswers(path + LeaseSuffix, permissions);
        }
    }

    /// <summary>Deletes the large keys and values of dead processes.</summary>
    public static void DeleteContentOfDead(string directory, FilePermissions permissions)
    {
        foreach (var path in Directory.EnumerateFiles(CacheFiles.Sharing(directory), ContentPrefix + "*"))
        {
            var name = Path.GetFileName(path.AsSpan())[ContentPrefix.Length..];
            if (name.Length > NameCharacters && Guid.TryParseExact(name[..NameCharacters], "N", out var answers) && TryDeleteAnswers(AnswersLease(directory, answers), permissions))
            {
                CacheFiles.TryDelete(path);
            }
        }
    }

    /// <summary>Deletes the queue of answers of a process, if the process is dead and the system does not refuse.</summary>
    public static bool TryDeleteAnswers(string leasePath, FilePermissions permissions)
    {
        try
        {
            using var lease = FileLease.TryAcquire(leasePath, permissions);
            if (lease is null)
            {
                return false;
            }

            TryDeleteQueue(leasePath[..^LeaseSuffix.Length]);
            CacheFiles.TryDelete(leasePath);
            return true;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // The folder is gone, or the disk has no room for the lease.
            return false;
        }
    }

    /// <summary>Deletes a queue, unless a process uses it. Files that are too damaged to be deleted as a queue are deleted as files.</summary>
    public static void TryDeleteQueue(string path)
    {
        try
        {
            if (Directory.Exists(path) && !MessageQueue.Delete(path))
            {
                Directory.Delete(path, recursive: true);
            }
        }
        catch (QueueInUseException)
        {
            // The next owner deletes it.
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or QueueCorruptedException or NotSupportedException)
        {
            TryDeleteFolder(path);
        }
    }

    /// <summary>Deletes the files of a queue whether a process uses it or not, unless the system refuses. The process sees within a second that they are gone.</summary>
    public static void TryDeleteFolder(string path)
    {
        try
        {
            Directory.Delete(path, recursive: true);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // It is gone already; or the next owner tries again.
        }
    }

    private static string In(string directory, string prefix, Guid name) => Path.Combine(CacheFiles.Sharing(directory), prefix + name.ToString("N", CultureInfo.InvariantCulture));

    private static MessageQueueOptions Options(FilePermissions permissions, long segmentBytes) => new()
    {
        Mode = QueueMode.Bounded,
        SegmentBytes = segmentBytes,
        Slots = Slots,
        FileMode = OperatingSystem.IsWindows() ? null : permissions.Mode,
        FileGroup = (permissions.Mode & OfGroup) == 0 ? null : permissions.Group?.ToString(CultureInfo.InvariantCulture),
    };
}
