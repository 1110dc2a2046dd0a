using System.Security.Cryptography;

namespace BufferedMessages.Tool.Tests;

/// <summary>Every byte below a folder, to be compared.</summary>
internal static class FolderContent
{
    /// <summary>Gives a line for each folder and each file: path, length, and the hash of its bytes.</summary>
    public static IReadOnlyList<string> Of(string folder) =>
    [
        .. Directory.EnumerateDirectories(folder, "*", SearchOption.AllDirectories).Select(path => $"{Path.GetRelativePath(folder, path)}/").Order(StringComparer.Ordinal),
        .. Directory.EnumerateFiles(folder, "*", SearchOption.AllDirectories).Order(StringComparer.Ordinal).Select(path => $"{Path.GetRelativePath(folder, path)} {HashOf(path)} {File.GetLastWriteTimeUtc(path):O}"),
    ];

    private static string HashOf(string path)
    {
        // A lease is locked by its owner, and .NET opens no locked file.
        if (new FileInfo(path).Length == 0)
        {
            return "0";
        }

        using var file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        return $"{file.Length} {Convert.ToHexString(SHA256.HashData(file))}";
    }
}
