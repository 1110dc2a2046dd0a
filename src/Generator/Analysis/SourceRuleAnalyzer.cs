using System.Collections.Concurrent;
using System.Collections.Immutable;
using System.Globalization;
using BufferedMessages.Generator.Parsing;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace BufferedMessages.Generator.Analysis;

/// <summary>
/// Reports one rule for source types and unions, from what the generator's own parser finds, so that both always agree. It is an analyzer, not the
/// generator, that reports, because only then pragmas, severities and code fixes work.
/// </summary>
/// <param name="rule">The rule.</param>
public abstract class SourceRuleAnalyzer(DiagnosticDescriptor rule) : DiagnosticAnalyzer
{
    /// <inheritdoc/>
    public sealed override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = [rule];

    /// <inheritdoc/>
    public sealed override void Initialize(AnalysisContext context)
    {
        context.EnableConcurrentExecution();
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.RegisterCompilationStartAction(start =>
        {
            // Types that share a base find the same mistake in it: it is one mistake, and told once.
            var told = new ConcurrentDictionary<(Location Place, string Message), bool>();
            start.RegisterSymbolAction(
                symbol =>
                {
                    if (symbol.Symbol is INamedTypeSymbol type && (SourceType.IsSource(type) || UnionType.IsUnion(type)))
                    {
                        foreach (var problem in Find(symbol, type).Where(problem => told.TryAdd((problem.Location, problem.GetMessage(CultureInfo.InvariantCulture)), value: true)))
                        {
                            symbol.ReportDiagnostic(problem);
                        }
                    }
                },
                SymbolKind.NamedType);
        });
    }

    private protected virtual IEnumerable<Diagnostic> Find(SymbolAnalysisContext context, INamedTypeSymbol source)
    {
        // What a base that is a source finds is its own, also where the derived type would say it in other words.
        var inBases = source.DerivedFirst().Skip(1).Where(static type => SourceType.IsSource(type) && !type.DeclaringSyntaxReferences.IsEmpty).SelectMany(Places).ToList();
        var properties = ImmutableDictionary<string, string?>.Empty.Add(DiagnosticProperty.Source, source.GetDocumentationCommentId());
        return Breaking(source)
            .Where(problem => !inBases.Contains(problem.Place))
            .Select(problem => Diagnostic.Create(rule, problem.Place, properties, problem.Arguments.Cast<object>().ToArray()));

        IEnumerable<Location> Places(INamedTypeSymbol type) => Breaking(type).Select(static problem => problem.Place);

        IEnumerable<(Location Place, string[] Arguments)> Breaking(INamedTypeSymbol type) =>
            SourceFindings.Of(type, context.Compilation, context.CancellationToken).Breaking(rule.Id);
    }
}
