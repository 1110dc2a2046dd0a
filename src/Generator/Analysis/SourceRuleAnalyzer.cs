using System.Collections.Immutable;
using BufferedMessages.Generator.Parsing;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace BufferedMessages.Generator.Analysis;

/// <summary>
/// Reports one rule for source types: runs the generator's parser with a sink, so that both always agree. It is an analyzer, not the
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
                if (symbolContext.Symbol is INamedTypeSymbol type && SourceType.IsSource(type))
                {
                    Analyze(symbolContext, type);
                }
            },
            SymbolKind.NamedType);
    }

    private protected virtual void Analyze(SymbolAnalysisContext context, INamedTypeSymbol source)
    {
        try
        {
            MessageParser.Parse(source, context.Compilation, new RuleSink(rule, source, context.ReportDiagnostic), context.CancellationToken);
        }
        catch (Exception exception) when (exception is not OperationCanceledException)
        {
            // The analyzer for BMSG9001 meets the same exception and reports it, once.
            return;
        }
    }

    /// <summary>Passes on what breaks one rule.</summary>
    private sealed class RuleSink(DiagnosticDescriptor rule, INamedTypeSymbol source, Action<Diagnostic> report) : IProblemSink
    {
        public void Report(string brokenRule, ISymbol symbol, params string[] arguments)
        {
            if (string.Equals(brokenRule, rule.Id, StringComparison.Ordinal))
            {
                // A member inherited from another assembly has no place in this project's code.
                var place = symbol.Locations is [{ IsInSource: true }, ..] ? symbol : source;
                report(Diagnostic.Create(rule, place.Locations[0], arguments.Cast<object>().ToArray()));
            }
        }
    }
}
