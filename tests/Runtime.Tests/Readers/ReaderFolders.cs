using System.Runtime.CompilerServices;

namespace BufferedMessages.Runtime.Tests.Readers;

/// <summary>The places of the readers of other languages and of the corpora in the repository.</summary>
internal static class ReaderFolders
{
    /// <summary>The programs of the tests in other languages.</summary>
    public static string Tests { get; } = FolderOfThisFile();

    public static string Python { get; } = Path.GetFullPath(Path.Combine(Tests, "../../../src/Readers/Python"));

    public static string C { get; } = Path.GetFullPath(Path.Combine(Tests, "../../../src/Readers/C"));

    /// <summary>A folder for each release that had its own corpus.</summary>
    public static string Corpora { get; } = Path.GetFullPath(Path.Combine(Tests, "../../Corpus"));

    private static string FolderOfThisFile([CallerFilePath] string file = "") => Path.GetDirectoryName(file)!;
}
