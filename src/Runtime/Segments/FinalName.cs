using System.Runtime.InteropServices;

namespace BufferedMessages.Segments;

/// <summary>The final name of a finished file, unless it is taken. Of several concurrent renames, one wins.</summary>
internal static partial class FinalName
{
    private const int NameIsTaken = 17;

    /// <summary>Renames a file; false if the name is taken, and then the file keeps its name.</summary>
    /// <exception cref="IOException">The file system refused.</exception>
    public static bool TryGive(string temporary, string path)
    {
        // On Unix, File.Move checks whether the name is free and then renames, so one rename may replace the file of another. A link never does.
        if (!OperatingSystem.IsWindows())
        {
            if (Link(temporary, path) == 0)
            {
                FaultPoints.Hit(FaultPoint.FileNamed);
                File.Delete(temporary);
                return true;
            }

            if (Marshal.GetLastPInvokeError() == NameIsTaken)
            {
                return false;
            }
        }

        return TryMove(temporary, path);
    }

    /// <summary>Gives a finished file a second name; false if the name is taken, or if the file system has no links. Only to be called on Unix.</summary>
    public static bool TryLink(string temporary, string path) => Link(temporary, path) == 0;

    // On Windows, and on a file system without links.
    private static bool TryMove(string temporary, string path)
    {
        try
        {
            File.Move(temporary, path, overwrite: false);
            return true;
        }
        catch (IOException) when (File.Exists(path))
        {
            return false;
        }
    }

    [LibraryImport("libc", EntryPoint = "link", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Link(string oldPath, string newPath);
}
