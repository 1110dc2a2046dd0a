using BufferedMessages.Generator.Parsing;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace BufferedMessages.Generator.Analysis;

/// <summary>An analyzer that reports converters of the assembly that cannot be used. No member may have their type, so the parser of members would not find them.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class AssemblyConverterAnalyzer() : ProductAnalyzer(Rules.UnfitConverterOfAssembly)
{
    private protected override void Register(AnalysisContext context) => context.RegisterCompilationAction(static found =>
    {
        foreach (var (attribute, reason) in new KindParser(found.Compilation).Converters.ProblemsOfAssembly())
        {
            if (attribute.ApplicationSyntaxReference?.GetSyntax(found.CancellationToken) is { } place)
            {
                found.ReportDiagnostic(Diagnostic.Create(Rules.UnfitConverterOfAssembly, place.GetLocation(), ((ITypeSymbol)attribute.ConstructorArguments[0].Value!).Name, reason));
            }
        }
    });
}
