using BufferedMessages.Samples.Tests.Running;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BufferedMessages.Samples.Tests.Architecture;

/// <summary>The fence around unsafe code: few types are unsafe as a whole, and each unsafe member of another type says why its memory is there.</summary>
public class UnsafeTests
{
    private const int MostUnsafeTypes = 15;
    private const int FewestAssertions = 100;

    private static readonly List<(string File, SyntaxNode Root)> Sources =
    [
        .. from project in new[] { "src/Runtime", "src/Caching", "src/Caching.AspNetCore", "src/Bridges", "src/Bridges.RabbitMQ", "src/Bridges.Redis", "src/Hosting", "src/Generator", "src/CodeFixes" }
           from file in Repository.Files(project, "*.cs")
           select (Path.GetRelativePath(Repository.Root, file), CSharpSyntaxTree.ParseText(File.ReadAllText(file), new CSharpParseOptions(LanguageVersion.Preview)).GetRoot()),
    ];

    private static readonly HashSet<string> UnsafeTypes =
        [.. from source in Sources from type in source.Root.DescendantNodes().OfType<BaseTypeDeclarationSyntax>() where IsUnsafe(type.Modifiers) select type.Identifier.ValueText];

    [Fact]
    public void At_most_15_types_are_unsafe_as_a_whole() =>
        Assert.True(UnsafeTypes.Count is > 0 and <= MostUnsafeTypes, $"{UnsafeTypes.Count}: {string.Join(", ", UnsafeTypes.Order(StringComparer.Ordinal))}");

    [Fact]
    public void Every_other_unsafe_member_says_why_its_memory_is_there()
    {
        var silent = from source in Sources
                     from member in source.Root.DescendantNodes().OfType<MemberDeclarationSyntax>()
                     where member is not BaseTypeDeclarationSyntax && IsUnsafe(member.Modifiers) && !HasReason(member)
                     select $"{source.File}: {member.ToString().Split('\n')[0]}";

        Assert.Empty(silent);
    }

    [Fact]
    public void Debug_builds_check_at_least_100_assertions()
    {
        var assertions = Sources.Sum(static source => source.Root.DescendantNodes().OfType<InvocationExpressionSyntax>().Count(static call => call.Expression.ToString() == "Debug.Assert"));

        Assert.True(assertions >= FewestAssertions, $"{assertions}");
    }

    private static bool IsUnsafe(SyntaxTokenList modifiers) => modifiers.Any(SyntaxKind.UnsafeKeyword);

    private static bool HasReason(SyntaxNode member) =>
        member.DescendantTrivia().Any(static trivia => trivia.IsKind(SyntaxKind.SingleLineCommentTrivia) && trivia.ToString().StartsWith("// SAFETY: ", StringComparison.Ordinal));
}
