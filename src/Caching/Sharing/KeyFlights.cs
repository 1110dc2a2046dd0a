using System.Text;
using BufferedMessages.Segments;
using BufferedMessages.Wire;

namespace BufferedMessages.Caching;

/// <summary>
/// Locks of keys whose values are being created, one byte of a file for each. The system releases them when their process dies, regardless of the owner of the cache. The threads of a
/// process share its locks, so <see cref="SingleFlight{TKey}"/> comes first.
/// </summary>
internal sealed class KeyFlights(string directory, FilePermissions permissions) : IDisposable
{
    private readonly Lock _gate = new();
    private FileStream? _file;
    private bool _isDisposed;

    /// <summary>Gets the number of a key and a type of value.</summary>
    // Unlike its full name, the text of a generic type has no versions of assemblies, so that two releases of a program have the same number.
    public static long NumberOf<T>(ReadOnlySpan<byte> key) =>
        (long)((XxHash64.Hash(key) ^ XxHash64.Hash(Encoding.UTF8.GetBytes(typeof(T).ToString()))) & (long.MaxValue - 1));

    /// <summary>
    /// Locks a number, unless another process has it. It is granted without a lock where the system has none, and where the file cannot be created or locked: then each process creates the value, and none
    /// waits for another. Nothing is locked once the cache is being closed: a creation that has waited for another process ends with it.
    /// </summary>
    public bool TryEnter(long number)
    {
        if (OperatingSystem.IsMacOS() || OperatingSystem.IsIOS() || OperatingSystem.IsTvOS() || OperatingSystem.IsFreeBSD())
        {
            return true;
        }

        lock (_gate)
        {
            if (_isDisposed)
            {
                return false;
            }

            try
            {
                Open().Lock(number, 1);
                return true;
            }
            catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
            {
                return !IsHeldByAnother(exception);
            }
        }
    }

    /// <summary>Releases a number. If the system refuses, all numbers of this process are released: another process would wait for this one until the end of this process.</summary>
    public void Exit(long number)
    {
        if (OperatingSystem.IsMacOS() || OperatingSystem.IsIOS() || OperatingSystem.IsTvOS() || OperatingSystem.IsFreeBSD())
        {
            return;
        }

        lock (_gate)
        {
            try
            {
                _file?.Unlock(number, 1);
            }
            catch (IOException)
            {
                Close();
            }
        }
    }

    /// <summary>Releases all numbers.</summary>
    public void Dispose()
    {
        lock (_gate)
        {
            _isDisposed = true;
            Close();
        }
    }

    private void Close()
    {
        _file?.Dispose();
        _file = null;
    }

    private static bool IsHeldByAnother(Exception exception)
    {
        const int LockViolationOnWindows = unchecked((int)0x80070021);
        const int WouldBlockOnLinux = 11;
        return exception.HResult == (OperatingSystem.IsWindows() ? LockViolationOnWindows : WouldBlockOnLinux);
    }

    private FileStream Open()
    {
        if (_file is null)
        {
            var path = SharingFiles.Flights(directory);
            permissions.CreateEmpty(path);
            _file = new FileStream(path, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete, bufferSize: 0);
        }

        return _file;
    }
}
