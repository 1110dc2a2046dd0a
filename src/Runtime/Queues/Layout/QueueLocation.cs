using System.Runtime.InteropServices;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>The places of queues: a path, or a name in the machine's shared memory.</summary>
internal static class QueueLocation
{
    private const string SharedMemory = "/dev/shm";

    // One directory per queue, so that each belongs to the user that created it.
    private const string Prefix = "bufferedmessages-";

    private static readonly char[] Separators = [Path.DirectorySeparatorChar, Path.AltDirectorySeparatorChar, Path.VolumeSeparatorChar];

    /// <summary>The folder of the queues in shared memory.</summary>
    public static string SharedFolder => Directory.Exists(SharedMemory) ? SharedMemory : Path.GetTempPath();

    /// <summary>The full path of a queue's directory.</summary>
    /// <exception cref="ArgumentException">It is a bare name, which could mean two queues.</exception>
    public static string OfPath(string path)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        if (path.IndexOfAny(Separators) < 0 && path is not ("." or ".."))
        {
            throw new ArgumentException(
                $"'{path}' could be a folder here or a name in shared memory. Write './{path}' for the folder, or use OpenShared(\"{path}\").", nameof(path));
        }

        return Path.TrimEndingDirectorySeparator(Path.GetFullPath(path));
    }

    /// <summary>The full path of the directory of a queue in shared memory.</summary>
    /// <exception cref="ArgumentException">The name cannot be a folder's.</exception>
    public static string OfName(string name)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        if (name.IndexOfAny(Separators) >= 0 || name.AsSpan().ContainsAny(Path.GetInvalidFileNameChars()))
        {
            throw new ArgumentException($"'{name}' cannot be a name in shared memory: it has a character that a file name cannot have. For a path use Open.", nameof(name));
        }

        return Path.Combine(SharedFolder, Prefix + name);
    }

    /// <summary>Refuses to take part in a queue that another user may have put there.</summary>
    /// <exception cref="UnauthorizedAccessException">It is refused.</exception>
    public static void RefuseForeign(string directory, FilePermissions permissions) =>
        ForeignFolder.Refuse($"The queue in '{directory}'", Path.Combine(directory, ControlMap.FileName), permissions);

    /// <summary>Whether another user may have put a queue there. It can be read, and no more.</summary>
    public static bool IsForeign(string directory) => ForeignFolder.FindOn(Path.Combine(directory, ControlMap.FileName)) is not null;

    /// <summary>Whether a directory is a queue. Never throws, whatever the directory holds.</summary>
    public static bool IsQueue(string directory)
    {
        var path = Path.Combine(directory, ControlMap.FileName);
        try
        {
            if (MappedFile.HasNoContent(path))
            {
                return false;
            }

            using var file = File.OpenHandle(path, share: FileShare.ReadWrite | FileShare.Delete);
            var magic = 0u;
            return RandomAccess.Read(file, MemoryMarshal.AsBytes(new Span<uint>(ref magic)), 0) == sizeof(uint) && magic == ControlHeader.ExpectedMagic;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }

    /// <summary>Whether a directory may be a queue: one that is damaged, or cannot be read, is not ruled out.</summary>
    public static bool MayBeQueue(string directory) => !MappedFile.IsDeleted(Path.Combine(directory, ControlMap.FileName));

    /// <summary>The queues that are a folder, or are directly in it, in the order of their paths.</summary>
    /// <exception cref="DirectoryNotFoundException">There is no such folder.</exception>
    public static IReadOnlyList<string> In(string folder)
    {
        var below = Directory.EnumerateDirectories(folder, "*", new EnumerationOptions { IgnoreInaccessible = true, AttributesToSkip = FileAttributes.None });
        return [.. below.Append(folder).Where(IsQueue).Order(StringComparer.Ordinal)];
    }
}
