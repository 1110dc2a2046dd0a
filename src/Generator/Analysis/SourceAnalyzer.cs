using System.Collections.Concurrent;
using System.Globalization;
using BufferedMessages.Generator.Parsing;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace BufferedMessages.Generator.Analysis;

/// <summary>A base of analyzers that report rules for source types and unions. Analyzers report, not the generator, because pragmas, severities and code fixes work for analyzers only.</summary>
/// <param name="rules">The rules.</param>
public abstract class SourceAnalyzer(params DiagnosticDescriptor[] rules) : ProductAnalyzer(rules)
{
    private protected sealed override void Register(AnalysisContext context)
    {
        context.RegisterCompilationStartAction(start =>
        {
            // Types that share a base find the same mistake in it; it is reported once.
            var reported = new ConcurrentDictionary<(string Rule, Location Place, string Message), bool>();
            start.RegisterSymbolAction(
                symbol =>
                {
                    if (symbol.Symbol is INamedTypeSymbol type && (SourceType.IsSource(type) || UnionType.IsUnion(type)))
                    {
                        foreach (var problem in Find(symbol, type).Where(problem => reported.TryAdd((problem.Id, problem.Location, problem.GetMessage(CultureInfo.InvariantCulture)), value: true)))
                        {
                            symbol.ReportDiagnostic(problem);
                        }
                    }
                },
                SymbolKind.NamedType);
        });
    }

    private protected abstract IEnumerable<Diagnostic> Find(SymbolAnalysisContext context, INamedTypeSymbol source);
}
