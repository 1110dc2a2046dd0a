using System.Collections.Immutable;
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
        context.RegisterSymbolAction(
            symbolContext =>
            {
                if (symbolContext.Symbol is INamedTypeSymbol type && (SourceType.IsSource(type) || UnionType.IsUnion(type)))
                {
                    Analyze(symbolContext, type);
                }
            },
            SymbolKind.NamedType);
    }

    private protected virtual void Analyze(SymbolAnalysisContext context, INamedTypeSymbol source)
    {
        var properties = ImmutableDictionary<string, string?>.Empty.Add(DiagnosticProperty.Source, source.GetDocumentationCommentId());
        var findings = SourceFindings.Of(source, context.Compilation, context.CancellationToken);
        foreach (var (place, arguments) in findings.Breaking(rule.Id))
        {
            context.ReportDiagnostic(Diagnostic.Create(rule, place, properties, arguments.Cast<object>().ToArray()));
        }
    }
}
