using System.Globalization;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace BufferedMessages.Segments;

/// <summary>
/// The permissions of the files of a queue or a cache: those of its control file. A file has them before it has its name, whatever the mask of the process that
/// makes it. On Windows they mean nothing, and the access list of the folder decides.
/// </summary>
/// <param name="Mode">The mode of files.</param>
/// <param name="Owner">The user that files which root makes are given to; null for none.</param>
/// <param name="Group">The group of files; null for the one that the system gives them.</param>
internal readonly record struct FilePermissions(UnixFileMode Mode, uint? Owner, uint? Group)
{
    private const UnixFileMode OfOwner = UnixFileMode.UserRead | UnixFileMode.UserWrite;
    private const UnixFileMode OfGroup = UnixFileMode.GroupRead | UnixFileMode.GroupWrite;
    private const UnixFileMode OfOthers = UnixFileMode.OtherRead | UnixFileMode.OtherWrite;
    private const UnixFileMode OfFolderOwner = OfOwner | UnixFileMode.UserExecute;
    private const UnixFileMode AllBits = (UnixFileMode)0x1FF;
    private const string ModeOption = "FileMode";
    private const string GroupOption = "FileGroup";
    private const int GroupShift = 3;
    private const int ReadToExecuteShift = 2;

    /// <summary>Files for the user of this process alone.</summary>
    public static FilePermissions OfUser => new(OfOwner, Owner: null, Group: null);

    /// <summary>Users other than the owner are meant to use the files.</summary>
    public bool AreForOthers => (Mode & (OfGroup | OfOthers)) != 0;

    /// <summary>The mode of folders: users that may read the files may also enter the folders.</summary>
    public UnixFileMode FolderMode => Mode | (UnixFileMode)(((int)Mode & (int)(UnixFileMode.UserRead | UnixFileMode.GroupRead | UnixFileMode.OtherRead)) >> ReadToExecuteShift);

    // A group that may do no more than all users does not matter, and a process outside of it can make files that all can use.
    private bool DependOnGroup => ((int)(Mode & OfGroup) & ~((int)(Mode & OfOthers) << GroupShift)) != 0;

    /// <summary>The fault of the mode or the group that the options of a queue or a cache name, with the name of the option; null if there is none.</summary>
    /// <param name="mode">The mode of files; null for the owner's, and the group's if there is one.</param>
    /// <param name="group">The name or the id of a group; null for none.</param>
    public static (string Option, string Text)? FaultOf(UnixFileMode? mode, string? group)
    {
        if (OperatingSystem.IsWindows())
        {
            return null;
        }

        var wanted = ModeFor(mode, group);
        if ((wanted & OfOwner) != OfOwner || (wanted & ~(OfOwner | OfGroup | OfOthers)) != 0)
        {
            return (ModeOption, $"FileMode {Octal(wanted)} is not valid for files: the owner must be able to read and write them, and no user may execute them.");
        }

        if (group is null)
        {
            return null;
        }

        if ((wanted & OfGroup) == 0)
        {
            return (GroupOption, $"FileMode {Octal(wanted)} gives the group '{group}' no permission. Leave FileMode unset for 0660, or leave FileGroup unset.");
        }

        return LinuxKernel.IsSupported && UnixUser.FindGroupId(group) is null
            ? (GroupOption, $"Group '{group}' does not exist on this machine. Create it, or give another FileGroup, as a name or as an id in digits.")
            : null;
    }

    /// <summary>The permissions that the options of a queue or a cache ask for, in which <see cref="FaultOf"/> has found no fault.</summary>
    /// <param name="mode">The mode of files; null for the owner's, and the group's if there is one.</param>
    /// <param name="group">The name or the id of a group; null for none.</param>
    /// <exception cref="UnauthorizedAccessException">This user may not give files to the group.</exception>
    /// <exception cref="PlatformNotSupportedException">A group cannot be set on this system.</exception>
    public static FilePermissions Asked(UnixFileMode? mode, string? group)
    {
        if (OperatingSystem.IsWindows())
        {
            return OfUser;
        }

        if (group is null)
        {
            return new FilePermissions(ModeFor(mode, group), Owner: null, Group: null);
        }

        if (!LinuxKernel.IsSupported)
        {
            throw new PlatformNotSupportedException("FileGroup works only on Linux on x64 and ARM64. Leave it unset here, and set the group of the folder by other means.");
        }

        return UnixUser.FindGroupId(group) is { } id && UnixUser.MayGiveTo(id)
            ? new FilePermissions(ModeFor(mode, group), Owner: null, id)
            : throw new UnauthorizedAccessException($"This user may not give files to the group '{group}': it is not a member of it. Make it a member, or give another FileGroup.");
    }

    /// <summary>The permissions of a file, for those that are made beside it.</summary>
    public static FilePermissions Of(SafeFileHandle file)
    {
        if (OperatingSystem.IsWindows())
        {
            return OfUser;
        }

        return FileIdentity.Of(file) is { } found
            ? new FilePermissions(found.Mode & AllBits, found.Owner, found.Group)
            : new FilePermissions(File.GetUnixFileMode(file) & AllBits, Owner: null, Group: null);
    }

    /// <inheritdoc cref="Of(SafeFileHandle)"/>
    /// <exception cref="FileNotFoundException">The file does not exist.</exception>
    public static FilePermissions Of(string path)
    {
        using var file = File.OpenHandle(path, share: FileShare.ReadWrite | FileShare.Delete);
        return Of(file);
    }

    /// <summary>The difference from what the options of a queue or a cache ask for, in words; null if there is none.</summary>
    /// <param name="mode">The mode that the options name; null for none.</param>
    /// <param name="group">The group that the options name; null for none.</param>
    /// <param name="asked">The permissions of that mode and group.</param>
    public string? DifferenceFrom(UnixFileMode? mode, string? group, FilePermissions asked) =>
        OperatingSystem.IsWindows() ? null
        : mode is not null && Mode != asked.Mode ? $"FileMode {Octal(Mode)}, not {Octal(asked.Mode)}"
        : group is not null && Group != asked.Group ? string.Create(CultureInfo.InvariantCulture, $"the group {Group}, not {asked.Group}")
        : null;

    /// <summary>Opens a new file, which no other user can open before it has these permissions.</summary>
    /// <param name="path">Its path. A file that is there is emptied, and gets the permissions.</param>
    /// <param name="share">Which handles others may have at the same time.</param>
    /// <param name="bytes">The bytes to allocate at once; 0 for none.</param>
    /// <exception cref="IOException">The disk has no room for the bytes.</exception>
    public FileStream CreateFile(string path, FileShare share, long bytes = 0)
    {
        // .NET goes on without the room if a quota refuses it, or if the file system cannot allocate ahead, and then a write to the mapping would end the process.
        var isAllocated = LinuxKernel.IsSupported && bytes > 0;
        var options = new FileStreamOptions { Mode = FileMode.Create, Access = FileAccess.ReadWrite, Share = share, BufferSize = 0, PreallocationSize = isAllocated ? 0 : bytes };
        if (!OperatingSystem.IsWindows())
        {
            options.UnixCreateMode = OfOwner;
        }

        var file = new FileStream(path, options);
        try
        {
            Give(file.SafeFileHandle, path);
            if (isAllocated)
            {
                LinuxKernel.Allocate(file.SafeFileHandle, bytes, path);
            }

            return file;
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    /// <summary>Makes an empty file, unless one is there. Other processes see it only with these permissions.</summary>
    /// <exception cref="DiskFullException">The disk has no room for the name.</exception>
    public void CreateEmpty(string path)
    {
        if (File.Exists(path))
        {
            return;
        }

        try
        {
            if (!TryCreateEmpty(path) && !File.Exists(path))
            {
                // The file system has no links, or another process took the temporary file for the rest of a dead one.
                CreateFile(path, FileShare.ReadWrite | FileShare.Delete).Dispose();
            }
        }
        catch (IOException exception) when (MappedFile.IsOutOfSpace(exception))
        {
            throw new DiskFullException(path, 0, exception);
        }
    }

    private bool TryCreateEmpty(string path)
    {
        var temporary = $"{path}.{Path.GetRandomFileName()}.creating";
        try
        {
            CreateFile(temporary, FileShare.ReadWrite | FileShare.Delete).Dispose();
            return FinalName.TryLink(temporary, path);
        }
        finally
        {
            File.Delete(temporary);
        }
    }

    /// <summary>
    /// Makes a folder, and those around it, unless they are there. Only the folder itself gets the permissions, and only if it is made. If it is empty and
    /// meant for others, it gets them too: the process that made it may have died before it could give them.
    /// </summary>
    /// <exception cref="DiskFullException">The disk has no room for the name.</exception>
    public void CreateFolder(string path)
    {
        try
        {
            MakeFolder(path);
        }
        catch (IOException exception) when (MappedFile.IsOutOfSpace(exception))
        {
            throw new DiskFullException(path, 0, exception);
        }
    }

    private void MakeFolder(string path)
    {
        if (OperatingSystem.IsWindows())
        {
            Directory.CreateDirectory(path);
            return;
        }

        if (!Directory.Exists(path))
        {
            Directory.CreateDirectory(path, OfFolderOwner);
            Give(path);
        }
        else if (AreForOthers && Directory.GetFileSystemEntries(path).Length == 0)
        {
            Give(path);
        }
    }

    private static UnixFileMode ModeFor(UnixFileMode? mode, string? group) => mode ?? (group is null ? OfOwner : OfOwner | OfGroup);

    private static string Octal(UnixFileMode mode) => "0" + Convert.ToString((int)mode, toBase: 8);

    private static UnauthorizedAccessException Refused(string path) =>
        new($"'{path}' cannot get the owner and the group of the files beside it: {Marshal.GetLastPInvokeErrorMessage()}. Only members of a group can give files to it.");

    private void Give(SafeFileHandle file, string path)
    {
        if (OperatingSystem.IsWindows())
        {
            return;
        }

        if (ChangeOf(FileIdentity.Of(file)) is var (owner, group) && !UnixUser.TryChangeOwner(file, owner, group))
        {
            throw Refused(path);
        }

        if ((File.GetUnixFileMode(file) & AllBits) != Mode)
        {
            File.SetUnixFileMode(file, Mode);
        }
    }

    private void Give(string folder)
    {
        // Another process that made it at the same time gives it the permissions itself.
        var found = FileIdentity.Of(folder);
        if (OperatingSystem.IsWindows() || (found is { } seen && seen.Owner != UnixUser.Id))
        {
            return;
        }

        if (ChangeOf(found) is var (owner, group) && !UnixUser.TryChangeOwner(folder, owner, group))
        {
            throw Refused(folder);
        }

        if ((File.GetUnixFileMode(folder) & AllBits) != FolderMode)
        {
            File.SetUnixFileMode(folder, FolderMode);
        }
    }

    private (uint Owner, uint Group)? ChangeOf(FileIdentity? found)
    {
        var owner = Owner is { } user && user != found?.Owner && UnixUser.Id == UnixUser.Root ? user : UnixUser.Unchanged;
        var group = Group is { } wanted && wanted != found?.Group && DependOnGroup ? wanted : UnixUser.Unchanged;
        return (owner, group) == (UnixUser.Unchanged, UnixUser.Unchanged) ? null : (owner, group);
    }
}
