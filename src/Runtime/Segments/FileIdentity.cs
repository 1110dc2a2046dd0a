using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace BufferedMessages.Segments;

/// <summary>
/// The kernel's record of a file or folder at one moment: which one it is, its owner, and its number of names. It is read with <c>statx</c>, whose layout is the same on
/// all processors; on systems other than Linux on x64 and ARM64 there are no identities.
/// </summary>
/// <param name="Device">The file system. Together with <paramref name="Inode"/> it distinguishes the file from all others that exist.</param>
/// <param name="Inode">The file's number, which a later file may get once this one has no names and no process has it open.</param>
/// <param name="Owner">The id of the user that owns it.</param>
/// <param name="Group">The id of its group.</param>
/// <param name="Mode">Its permissions, without its kind.</param>
/// <param name="Kind">Its kind, as the upper bits of the kernel's mode.</param>
/// <param name="Links">The number of its names. An open file with none is deleted.</param>
internal readonly partial record struct FileIdentity(ulong Device, ulong Inode, uint Owner, uint Group, UnixFileMode Mode, uint Kind, uint Links)
{
    private const int WorkingDirectory = -100;
    private const int DoNotFollowLink = 0x100;
    private const int OfDescriptor = 0x1000;
    private const uint BasicFields = 0x7FF;
    private const uint PermissionBits = 0xFFF;
    private const uint LinkKind = 0xA000;
    private const int NoEntry = 2;
    private const int NotADirectory = 20;

    /// <summary>Whether identities can be read here.</summary>
    public static bool IsSupported => LinuxKernel.IsSupported;

    /// <summary>It is a symbolic link.</summary>
    public bool IsLink => Kind == LinkKind;

    private static nint StatxNumber { get; } = RuntimeInformation.ProcessArchitecture == Architecture.X64 ? 332 : 291;

    /// <summary>Reads the identity of a path. A symbolic link at its end is not followed.</summary>
    /// <returns>Null if the file does not exist, if the caller may not access it, and on systems whose files have no identity.</returns>
    public static FileIdentity? Of(string path) => Of(path, out _);

    /// <summary>Reads the identity of a path. A symbolic link at its end is not followed.</summary>
    /// <param name="path">The file or folder.</param>
    /// <param name="isMissing">
    /// There is none at the path. False if the system cannot say, and where files have no identities. A second look at a path that was missing may find a newer file.
    /// </param>
    /// <returns>Null if the file does not exist, if the caller may not access it, and on systems whose files have no identity.</returns>
    public static FileIdentity? Of(string path, out bool isMissing)
    {
        isMissing = false;
        if (!IsSupported)
        {
            return null;
        }

        if (Statx(StatxNumber, WorkingDirectory, path, DoNotFollowLink, BasicFields, out var details) == 0)
        {
            return Of(details);
        }

        isMissing = Marshal.GetLastPInvokeError() is NoEntry or NotADirectory;
        return null;
    }

    /// <summary>Reads the identity of an open file, whatever its names are now.</summary>
    /// <returns>Null if the kernel refuses, and if there are no identities here.</returns>
    public static FileIdentity? Of(SafeFileHandle file) =>
        IsSupported && Statx(StatxNumber, file, "", OfDescriptor, BasicFields, out var details) == 0 ? Of(details) : null;

    /// <summary>Whether both are the same file, whatever has happened to it between the two looks.</summary>
    public bool IsSameFile(FileIdentity other) => Device == other.Device && Inode == other.Inode;

    private static FileIdentity Of(in Details details) => new(
        ((ulong)details.DeviceMajor << 32) | details.DeviceMinor,
        details.Inode,
        details.Owner,
        details.Group,
        (UnixFileMode)(details.Mode & PermissionBits),
        details.Mode & ~PermissionBits,
        details.Links);

    [LibraryImport("libc", EntryPoint = "syscall", StringMarshalling = StringMarshalling.Utf8, SetLastError = true)]
    private static partial nint Statx(nint number, nint directory, string path, nint flags, nuint fields, out Details details);

    [LibraryImport("libc", EntryPoint = "syscall", StringMarshalling = StringMarshalling.Utf8)]
    private static partial nint Statx(nint number, SafeFileHandle file, string path, nint flags, nuint fields, out Details details);

    [StructLayout(LayoutKind.Explicit, Size = 256)]
    private struct Details
    {
        [FieldOffset(16)]
        public uint Links;

        [FieldOffset(20)]
        public uint Owner;

        [FieldOffset(24)]
        public uint Group;

        [FieldOffset(28)]
        public ushort Mode;

        [FieldOffset(32)]
        public ulong Inode;

        [FieldOffset(136)]
        public uint DeviceMajor;

        [FieldOffset(140)]
        public uint DeviceMinor;
    }
}
