namespace BufferedMessages.CrossProcess.Torture;

/// <summary>Where rounds are held.</summary>
internal static class TortureDirectory
{
    private const string Memory = "/dev/shm";

    // Another program that looks at the queues says where they are.
    private const string FolderVariable = "BUFFEREDMESSAGES_TORTURE_FOLDER";

    /// <summary>A new directory, in memory where the system has a place for that: a round writes much, and its faults are those of processes.</summary>
    public static string Create()
    {
        var parent = Environment.GetEnvironmentVariable(FolderVariable) ?? (Directory.Exists(Memory) ? Memory : Path.GetTempPath());
        return Directory.CreateDirectory(Path.Combine(parent, $"bmq-torture-{Guid.NewGuid():N}")).FullName;
    }

    /// <summary>Deletes a directory. It is renamed before that, so that a program whose look failed can tell whether its queue was being deleted.</summary>
    public static void Delete(string directory)
    {
        var ended = directory + ".ended";
        Directory.Move(directory, ended);
        Directory.Delete(ended, recursive: true);
    }
}
