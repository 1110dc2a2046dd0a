using System.Reflection;

namespace BufferedMessages.Generator.Parsing;

/// <summary>Where the page of each rule is: below the project's address, or a path in the repository while that has none.</summary>
internal static class RulePages
{
    private static readonly string Files =
        typeof(RulePages).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>().FirstOrDefault(static attribute => attribute.Key == "ProjectFiles")?.Value ?? "";

    public static string AddressOf(string rule) => $"{Files}docs/diagnostics/{rule}.md";
}
