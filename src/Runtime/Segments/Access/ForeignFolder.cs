namespace BufferedMessages.Segments;

/// <summary>
/// The search for a folder that another user may have put where this user looks for its own. In a folder that every user may write to, such as shared memory
/// and the temporary one, a name proves nothing: there each part of a path must belong to this user, or to root, and must not be a symbolic link.
/// Elsewhere the owner of the folder has decided which users may write to it.
/// </summary>
internal static class ForeignFolder
{
    private const int MostLinks = 40;

    /// <summary>Refuses the folder of a queue or a cache that another user may have put there.</summary>
    /// <param name="what">The queue or the cache, as the subject of a sentence.</param>
    /// <param name="control">The path of its control file. Neither the file nor its folder need exist.</param>
    /// <param name="permissions">The permissions that the options ask for. If other users are expected, nothing is refused.</param>
    /// <exception cref="UnauthorizedAccessException">It is refused.</exception>
    public static void Refuse(string what, string control, FilePermissions permissions)
    {
        if (!permissions.AreForOthers && FindOn(control) is { } reason)
        {
            throw new UnauthorizedAccessException(
                $"{what} is refused: {reason}, in a folder that every user may write to, so another user may have put it there. " +
                "Delete it, or use another place; or set FileMode or FileGroup in the options, if it is meant to be shared with that user.");
        }
    }

    /// <summary>Walks a path and all links on it. A part that does not exist is still free.</summary>
    /// <returns>The reason to refuse it, in words; null if there is none, and on systems without file identities.</returns>
    public static string? FindOn(string path)
    {
        const string Top = "/";
        if (!FileIdentity.IsSupported)
        {
            return null;
        }

        var names = new List<string>();
        AddNames(names, path);
        var folder = Top;
        var links = 0;
        while (names.Count != 0)
        {
            var name = names[^1];
            names.RemoveAt(names.Count - 1);
            if (name == "..")
            {
                folder = Path.GetDirectoryName(folder) ?? Top;
                continue;
            }

            var next = Path.Combine(folder, name);
            if (FileIdentity.Of(next) is not { } found)
            {
                return null;
            }

            if (IsOpenToAll(folder) && ReasonToRefuse(next, found) is { } reason)
            {
                return reason;
            }

            if (!found.IsLink)
            {
                folder = next;
                continue;
            }

            if (links++ == MostLinks || new FileInfo(next).LinkTarget is not { } target)
            {
                return $"'{next}' is a symbolic link that leads nowhere";
            }

            folder = Path.IsPathRooted(target) ? Top : folder;
            AddNames(names, target);
        }

        return null;
    }

    // The last one first, because names are taken from the end.
    private static void AddNames(List<string> names, string path)
    {
        var parts = path.Split(Path.DirectorySeparatorChar, StringSplitOptions.RemoveEmptyEntries);
        for (var i = parts.Length - 1; i >= 0; i--)
        {
            if (parts[i] != ".")
            {
                names.Add(parts[i]);
            }
        }
    }

    private static bool IsOpenToAll(string folder) => FileIdentity.Of(folder) is { } found && (found.Mode & UnixFileMode.OtherWrite) != 0;

    private static string? ReasonToRefuse(string path, FileIdentity found) =>
        found.IsLink ? $"'{path}' is a symbolic link"
        : found.Owner != UnixUser.Id && found.Owner != UnixUser.Root ? $"'{path}' belongs to another user, with the id {found.Owner}"
        : null;
}
