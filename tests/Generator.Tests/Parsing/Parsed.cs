using BufferedMessages.Generator.Model;
using BufferedMessages.Generator.Parsing;
using BufferedMessages.TestKit;
using Microsoft.CodeAnalysis.CSharp;

namespace BufferedMessages.Generator.Tests;

/// <summary>Models of sources, straight from the parser.</summary>
internal static class Parsed
{
    /// <summary>The model of the only source type of a text.</summary>
    public static MessageModel Message(string source) => Messages(SourceProject.Of(source).Compilation).Single();

    /// <summary>The models of the messages of all source types of a compilation, in the order of their names.</summary>
    public static IReadOnlyList<MessageModel> Messages(CSharpCompilation compilation) => [.. Sources(compilation).Select(static source => source.Message)];

    /// <summary>The models of all source types of a compilation, in the order of their names.</summary>
    public static IReadOnlyList<SourceModel> Sources(CSharpCompilation compilation) =>
        [.. compilation.GetSymbolsWithName(static _ => true, Microsoft.CodeAnalysis.SymbolFilter.Type)
            .Cast<Microsoft.CodeAnalysis.INamedTypeSymbol>()
            .Where(SourceType.IsSource)
            .OrderBy(SourceType.FullNameOf, StringComparer.Ordinal)
            .Select(type => MessageParser.Parse(type, compilation, CancellationToken.None))
            .OfType<SourceModel>()];
}
