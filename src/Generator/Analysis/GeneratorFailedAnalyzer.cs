using BufferedMessages.Generator.Parsing;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace BufferedMessages.Generator.Analysis;

/// <summary>An analyzer that reports types for which the generator fails.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class GeneratorFailedAnalyzer : SourceAnalyzer
{
    private readonly Func<INamedTypeSymbol, Compilation, CancellationToken, Exception?> _findFailure;

    /// <summary>Initializes an analyzer of the generator's own steps.</summary>
    public GeneratorFailedAnalyzer()
        : this(static (source, compilation, cancellation) => SourceFindings.Of(source, compilation, cancellation).Failure)
    {
    }

    /// <summary>Initializes an analyzer of other steps, for tests: the generator itself does not fail.</summary>
    internal GeneratorFailedAnalyzer(Func<INamedTypeSymbol, Compilation, CancellationToken, Exception?> findFailure)
        : base(Rules.GeneratorFailed) => _findFailure = findFailure;

    private protected override IEnumerable<Diagnostic> Find(SymbolAnalysisContext context, INamedTypeSymbol source) =>
        _findFailure(source, context.Compilation, context.CancellationToken) is { } failure
            ? [Diagnostic.Create(Rules.GeneratorFailed, source.Locations[0], source.Name, failure.Message)]
            : [];
}
