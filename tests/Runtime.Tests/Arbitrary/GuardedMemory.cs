using System.ComponentModel;
using System.Runtime.InteropServices;

namespace BufferedMessages.Runtime.Tests.Arbitrary;

/// <summary>
/// Memory between two pages that cannot be touched: a read outside of it ends the process, so no such read goes unnoticed.
/// <code>
/// no access | memory | no access
/// </code>
/// Only Linux has the guards here. Elsewhere the memory has none, and only the exceptions are checked.
/// </summary>
internal sealed unsafe partial class GuardedMemory : IDisposable
{
    private const int ReadWrite = 3;
    private const int NoAccess = 0;
    private const int PrivateAnonymous = 0x22;
    private static readonly int PageBytes = Environment.SystemPageSize;

    private readonly byte* _pages;
    private readonly int _bytes;

    public GuardedMemory(int bytes)
    {
        _bytes = (bytes + PageBytes - 1) / PageBytes * PageBytes;
        var total = (nuint)(_bytes + (2 * PageBytes));
        if (!OperatingSystem.IsLinux())
        {
            _pages = (byte*)NativeMemory.AllocZeroed(total);
            return;
        }

        _pages = (byte*)Map(null, total, ReadWrite, PrivateAnonymous, -1, 0);
        if (_pages == (byte*)-1 || Protect(_pages, (nuint)PageBytes, NoAccess) != 0 || Protect(_pages + PageBytes + _bytes, (nuint)PageBytes, NoAccess) != 0)
        {
            throw new Win32Exception();
        }
    }

    /// <summary>The last bytes: the guard is right behind them.</summary>
    public Span<byte> End(int length) => new(_pages + PageBytes + _bytes - length, length);

    /// <summary>The first bytes: the guard is right in front of them.</summary>
    public Span<byte> Start(int length) => new(_pages + PageBytes, length);

    public void Dispose()
    {
        if (OperatingSystem.IsLinux())
        {
            _ = Unmap(_pages, (nuint)(_bytes + (2 * PageBytes)));
        }
        else
        {
            NativeMemory.Free(_pages);
        }
    }

    [LibraryImport("libc", EntryPoint = "mmap", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial void* Map(void* address, nuint length, int protection, int flags, int file, nint offset);

    [LibraryImport("libc", EntryPoint = "mprotect", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Protect(void* address, nuint length, int protection);

    [LibraryImport("libc", EntryPoint = "munmap", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Unmap(void* address, nuint length);
}
