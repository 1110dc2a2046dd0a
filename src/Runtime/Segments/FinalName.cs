using System.Runtime.InteropServices;

namespace BufferedMessages.Segments;

/// <summary>Renames a finished file, unless the name is taken: of many who do this at once one wins.</summary>
internal static partial class FinalName
{
    private const int NameIsTaken = 17;

    /// <exception cref="IOException">The name is taken, or the file system failed.</exception>
    public static void Give(string temporary, string path)
    {
        // On Unix File.Move looks whether the name is free and then renames, so that two may rename over each other. A link never does.
        if (OperatingSystem.IsWindows() || !TryLink(temporary, path))
        {
            File.Move(temporary, path, overwrite: false);
            return;
        }

        FaultPoints.Hit(FaultPoint.FileNamed);
        File.Delete(temporary);
    }

    /// <returns>False where the file system has no links.</returns>
    private static bool TryLink(string temporary, string path)
    {
        if (Link(temporary, path) == 0)
        {
            return true;
        }

        return Marshal.GetLastPInvokeError() == NameIsTaken ? throw new IOException($"'{path}' exists.") : false;
    }

    [LibraryImport("libc", EntryPoint = "link", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Link(string oldPath, string newPath);
}
