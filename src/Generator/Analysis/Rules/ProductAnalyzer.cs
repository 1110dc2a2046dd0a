using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace BufferedMessages.Generator.Analysis;

/// <summary>The base class of all analyzers: they run concurrently, and ignore generated code.</summary>
/// <param name="rules">The rules that the analyzer reports.</param>
public abstract class ProductAnalyzer(params DiagnosticDescriptor[] rules) : DiagnosticAnalyzer
{
    /// <inheritdoc/>
    public sealed override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = [.. rules];

    /// <inheritdoc/>
    public sealed override void Initialize(AnalysisContext context)
    {
        context.EnableConcurrentExecution();
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        Register(context);
    }

    private protected abstract void Register(AnalysisContext context);
}
