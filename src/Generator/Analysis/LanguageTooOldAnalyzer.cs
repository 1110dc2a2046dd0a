using BufferedMessages.Generator.Parsing;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;

namespace BufferedMessages.Generator.Analysis;

/// <summary>Reports sources in projects whose language is too old for views: ref structs that implement interfaces came with C# 13.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class LanguageTooOldAnalyzer() : SourceRuleAnalyzer(Rules.LanguageTooOld)
{
    private protected override IEnumerable<Diagnostic> Find(SymbolAnalysisContext context, INamedTypeSymbol source) =>
        context.Compilation is CSharpCompilation { LanguageVersion: < LanguageVersion.CSharp13 and var version }
            ? [Diagnostic.Create(Rules.LanguageTooOld, source.Locations[0], source.Name, version.ToDisplayString())]
            : [];
}
