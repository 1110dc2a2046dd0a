using System.Buffers;
using System.Globalization;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace BufferedMessages.Segments;

/// <summary>This process's user and groups, and the change of a file's. Only to be called if <see cref="LinuxKernel.IsSupported"/>.</summary>
internal static partial class UnixUser
{
    /// <summary>The user that may do everything.</summary>
    public const uint Root = 0;

    /// <summary>Leaves an owner or a group as it is.</summary>
    public const uint Unchanged = uint.MaxValue;

    private const int BufferTooSmall = 34;
    private const int FirstBufferBytes = 4096;

    /// <summary>The user that this process acts for.</summary>
    public static uint Id => EffectiveUser();

    /// <summary>Finds the id of a group; null if it does not exist.</summary>
    /// <param name="group">Its name, or its id in digits.</param>
    public static uint? FindGroupId(string group)
    {
        if (uint.TryParse(group, NumberStyles.None, CultureInfo.InvariantCulture, out var id) && id != Unchanged)
        {
            return id;
        }

        for (var bytes = FirstBufferBytes; ; bytes *= 2)
        {
            var texts = ArrayPool<byte>.Shared.Rent(bytes);
            try
            {
                var error = FindGroup(group, out var entry, ref MemoryMarshal.GetArrayDataReference(texts), (nuint)texts.Length, out var found);
                if (error != BufferTooSmall)
                {
                    return error == 0 && found != 0 ? entry.Id : null;
                }
            }
            finally
            {
                ArrayPool<byte>.Shared.Return(texts);
            }
        }
    }

    /// <summary>Whether this process may give its files to a group.</summary>
    public static bool MayGiveTo(uint group)
    {
        if (Id == Root || EffectiveGroup() == group)
        {
            return true;
        }

        var none = 0u;
        var groups = new uint[Math.Max(Groups(0, ref none), 0) + 1];
        var count = Groups(groups.Length, ref groups[0]);
        return groups.AsSpan(0, Math.Max(count, 0)).Contains(group);
    }

    /// <summary>Changes a file's owner and group; each may stay <see cref="Unchanged"/>.</summary>
    /// <returns>False if the kernel refuses; the reason is the last error.</returns>
    public static bool TryChangeOwner(SafeFileHandle file, uint owner, uint group) => ChangeOwner(file, owner, group) == 0;

    /// <summary>Changes a folder's owner and group; each may stay <see cref="Unchanged"/>. A symbolic link is changed itself.</summary>
    /// <returns>False if the kernel refuses; the reason is the last error.</returns>
    public static bool TryChangeOwner(string folder, uint owner, uint group) => ChangeOwner(folder, owner, group) == 0;

    [LibraryImport("libc", EntryPoint = "geteuid")]
    private static partial uint EffectiveUser();

    [LibraryImport("libc", EntryPoint = "getegid")]
    private static partial uint EffectiveGroup();

    [LibraryImport("libc", EntryPoint = "getgroups")]
    private static partial int Groups(int length, ref uint groups);

    [LibraryImport("libc", EntryPoint = "getgrnam_r", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int FindGroup(string name, out GroupEntry entry, ref byte texts, nuint bytes, out nint found);

    [LibraryImport("libc", EntryPoint = "fchown", SetLastError = true)]
    private static partial int ChangeOwner(SafeFileHandle file, uint owner, uint group);

    [LibraryImport("libc", EntryPoint = "lchown", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int ChangeOwner(string path, uint owner, uint group);

    // The layout of 64-bit Linux. The pointers lead into the buffer of the call.
    private struct GroupEntry
    {
        public nint Name;
        public nint Password;
        public uint Id;
        public nint Members;
    }
}
