using System.Runtime.InteropServices;

namespace BufferedMessages.Segments;

/// <summary>
/// Gives a finished file its final name unless there is such a file, in one step. <c>File.Move</c> looks first and renames then on Unix: of
/// two creators at once the second would replace the file that the first has begun to use.
/// </summary>
internal static partial class FinalName
{
    private const int AlreadyExists = 17;

    /// <summary>Renames a file; false when the name is taken, and then both files stay as they are.</summary>
    /// <exception cref="IOException">The file system refused.</exception>
    public static bool TryGive(string temporary, string path)
    {
        if (OperatingSystem.IsWindows())
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

        if (Link(temporary, path) == 0)
        {
            File.Delete(temporary);
            return true;
        }

        var error = Marshal.GetLastPInvokeError();
        return error == AlreadyExists
            ? false
            : throw new IOException($"'{temporary}' could not be renamed to '{path}': {Marshal.GetPInvokeErrorMessage(error)}.", error);
    }

    [LibraryImport("libc", EntryPoint = "link", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Link(string existing, string added);
}
