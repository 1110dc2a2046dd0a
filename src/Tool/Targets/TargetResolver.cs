using System.CommandLine;
using BufferedMessages.Segments;

namespace BufferedMessages.Tool;

/// <summary>Finds the target that an argument means: a path, or the name of a queue in shared memory.</summary>
internal static class TargetResolver
{
    /// <summary>The explanation of such an argument, for the help.</summary>
    public const string Help = "a path, or a name in shared memory";

    /// <summary>Makes the argument of a command for one queue.</summary>
    public static Argument<string> QueueArgument() => new("QUEUE") { Description = $"The queue: {Help}." };

    /// <summary>Finds a target of one of some kinds.</summary>
    /// <exception cref="ToolException">There is none, or the argument means two; the message lists those near it.</exception>
    /// <exception cref="IOException">There may be one, which the disk could not read.</exception>
    /// <exception cref="UnauthorizedAccessException">There may be one, which may not be read.</exception>
    public static Target Find(string given, params TargetKind[] kinds)
    {
        if (given.Length == 0)
        {
            throw new ToolException("The path is empty.");
        }

        var fullPath = Path.TrimEndingDirectorySeparator(Path.GetFullPath(given));
        var here = Recognition.Find(fullPath);
        var shared = FindShared(given);
        if (here is not null && shared is not null)
        {
            throw new ToolException($"'{given}' is a {here.Word} here and a queue in shared memory. Write './{given}' for the one here, or '{shared.Path}' for the other.");
        }

        var found = here ?? shared;
        if (found is null)
        {
            RequireReadable(fullPath);
            if (SharedPath(given) is { } sharedPath)
            {
                RequireReadable(sharedPath);
            }
        }

        return found is not null && kinds.Contains(found.Kind) ? found : throw Missing(given, fullPath, found, kinds);
    }

    /// <summary>Whether nothing has the path or the name yet.</summary>
    public static bool IsFree(string given) => given.Length > 0 && Recognition.Find(Path.GetFullPath(given)) is null && FindShared(given) is null;

    /// <summary>Opens a queue for reading alone.</summary>
    /// <exception cref="ToolException">There is none; the message lists those near it.</exception>
    public static MessageQueue OpenQueue(string given) => MessageQueue.OpenReadOnly(Find(given, TargetKind.Queue).Path);

    /// <summary>Opens a queue for a command that changes it.</summary>
    /// <exception cref="ToolException">There is none; the message lists those near it.</exception>
    public static MessageQueue OpenQueueToChange(string given) => MessageQueue.OpenExisting(Find(given, TargetKind.Queue).Path);

    private static Target? FindShared(string given) => SharedPath(given) is { } path && Recognition.Find(path) is { Kind: TargetKind.Queue } found ? found : null;

    // Null if it cannot be a name in shared memory.
    private static string? SharedPath(string given) =>
        given.AsSpan().ContainsAny(Path.DirectorySeparatorChar, Path.AltDirectorySeparatorChar) || given is "." or ".." || given.AsSpan().ContainsAny(Path.GetInvalidFileNameChars())
            ? null
            : MessageQueue.GetSharedPath(given);

    // A file or folder that cannot be read may be the target.
    private static void RequireReadable(string path)
    {
        if (File.Exists(path))
        {
            MappedFile.LengthOf(path);
            return;
        }

        try
        {
            using var entries = Directory.EnumerateFileSystemEntries(path).GetEnumerator();
        }
        catch (DirectoryNotFoundException)
        {
            return;
        }

        foreach (var control in Recognition.Controls.Select(name => Path.Combine(path, name)).Where(static control => !Directory.Exists(control)))
        {
            MappedFile.LengthOf(control);
        }
    }

    private static ToolException Missing(string given, string fullPath, Target? other, TargetKind[] kinds) =>
        other is null
            ? Nearby.Missing(given, fullPath, kinds)
            : new ToolException($"'{given}' is a {other.Word}; this command takes a {Target.WordsOf(kinds)}.");
}
