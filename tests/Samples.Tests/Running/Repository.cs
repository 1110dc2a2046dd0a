namespace BufferedMessages.Samples.Tests.Running;

/// <summary>Where things are in the repository these tests were built in.</summary>
internal static class Repository
{
    public static string Root { get; } = FindRoot();

    /// <summary>Debug or Release: samples are started as these tests were built.</summary>
    public static string Configuration { get; } =
        AppContext.BaseDirectory.Contains($"{Path.DirectorySeparatorChar}Release{Path.DirectorySeparatorChar}", StringComparison.Ordinal) ? "Release" : "Debug";

    public static string PathOf(string relative) => Path.Combine(Root, relative);

    public static string Read(string relative) => File.ReadAllText(PathOf(relative)).ReplaceLineEndings("\n");

    /// <summary>Files of the repository in a folder, without what builds leave there.</summary>
    public static IEnumerable<string> Files(string folder, string pattern) =>
        Directory.EnumerateFiles(PathOf(folder), pattern, SearchOption.AllDirectories)
            .Where(path => !Path.GetRelativePath(Root, path).Split(Path.DirectorySeparatorChar).Any(part => part is "bin" or "obj" or "TestResults"))
            .Order(StringComparer.Ordinal);

    private static string FindRoot()
    {
        var directory = new DirectoryInfo(AppContext.BaseDirectory);
        while (!File.Exists(Path.Combine(directory.FullName, "Toolkit.sln")))
        {
            directory = directory.Parent ?? throw new InvalidOperationException("Toolkit.sln is in none of the folders above the tests.");
        }

        return directory.FullName;
    }
}
