using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace BufferedMessages.Generator.Analysis;

/// <summary>Reports types for which the generator fails.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class GeneratorFailedAnalyzer : SourceAnalyzer
{
    private readonly Func<INamedTypeSymbol, Compilation, CancellationToken, Exception?> _findFailure;

    /// <summary>Looks at the generator's own steps.</summary>
    public GeneratorFailedAnalyzer()
        : this(static (source, compilation, cancellation) => SourceFindings.Of(source, compilation, cancellation).Failure)
    {
    }

    /// <summary>Looks at other steps, for tests: a generator without a known mistake does not fail.</summary>
    internal GeneratorFailedAnalyzer(Func<INamedTypeSymbol, Compilation, CancellationToken, Exception?> findFailure)
        : base(Rules.GeneratorFailed) => _findFailure = findFailure;

    private protected override IEnumerable<Diagnostic> Find(SymbolAnalysisContext context, INamedTypeSymbol source) =>
        _findFailure(source, context.Compilation, context.CancellationToken) is { } failure
            ? [Diagnostic.Create(Rules.GeneratorFailed, source.Locations[0], source.Name, failure.Message)]
            : [];
}
