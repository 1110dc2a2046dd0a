using System.Reflection;

namespace BufferedMessages.Tool.Tests;

/// <summary>Where things are in the repository these tests were built in.</summary>
internal static class Repository
{
    /// <summary>The built tool.</summary>
    public static string Tool { get; } = Path.GetFullPath(MetadataOf("Tool"));

    /// <summary>The program of the processes that are killed.</summary>
    public static string CrossProcess { get; } = Path.GetFullPath(MetadataOf("CrossProcess"));

    public static string Root { get; } = Path.GetFullPath(MetadataOf("Root"));

    public static string PathOf(string relative) => Path.Combine(Root, relative);

    public static string Read(string relative) => File.ReadAllText(PathOf(relative)).ReplaceLineEndings("\n");

    private static string MetadataOf(string key) =>
        typeof(Repository).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>().Single(attribute => attribute.Key == key).Value!;
}
