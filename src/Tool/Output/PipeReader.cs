using System.Runtime.InteropServices;

namespace BufferedMessages.Tool;

/// <summary>The program that reads a pipe, as the system sees it. Only a write would find out by itself that it has ended.</summary>
internal static partial class PipeReader
{
    // POLLERR and POLLHUP, which are told without being asked for. Files never have them.
    private const short Ends = 0x08 | 0x10;

    /// <summary>Whether the reader of a pipe has ended. False if that is not known, as on Windows.</summary>
    /// <param name="handle">The number of the open file.</param>
    public static bool IsGone(int handle)
    {
        if (OperatingSystem.IsWindows())
        {
            return false;
        }

        var look = new Look { Handle = handle, Asked = 0, Found = 0 };
        return Poll(ref look, 1, 0) == 1 && (look.Found & Ends) != 0;
    }

    [LibraryImport("libc", EntryPoint = "poll")]
    private static partial int Poll(ref Look look, nuint count, int milliseconds);

    private struct Look
    {
        public int Handle;
        public short Asked;
        public short Found;
    }
}
