using System.Runtime.InteropServices;

namespace BufferedMessages.TestKit;

/// <summary>
/// A file or folder of which the system cannot say whether it is there, until this is disposed: a link that leads to itself is in its place. The two are exchanged in one step, so that
/// a look at that moment does not find it deleted. On Linux.
/// </summary>
public sealed partial class HiddenPath : IDisposable
{
    private const int CurrentFolder = -100;
    private const uint Exchange = 2;

    private readonly string _path;
    private readonly string _aside;

    public HiddenPath(string path)
    {
        _path = path;
        _aside = path + ".hidden";
        File.CreateSymbolicLink(_aside, path);
        Swap();
    }

    public void Dispose()
    {
        Swap();
        File.Delete(_aside);
    }

    private void Swap()
    {
        if (Rename(CurrentFolder, _path, CurrentFolder, _aside, Exchange) != 0)
        {
            throw new IOException(Marshal.GetLastPInvokeErrorMessage());
        }
    }

    [LibraryImport("libc", EntryPoint = "renameat2", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Rename(int oldFolder, string oldPath, int newFolder, string newPath, uint flags);
}
