using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;

namespace Toolkit.Benchmarks.Generator;

/// <summary>An analyzer that looks at types and method bodies, and does nothing.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
internal sealed class IdleAnalyzer : DiagnosticAnalyzer
{
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } =
        [new DiagnosticDescriptor("IDLE", "Idle", "Idle", "Idle", DiagnosticSeverity.Warning, isEnabledByDefault: true)];

    public override void Initialize(AnalysisContext context)
    {
        context.EnableConcurrentExecution();
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.RegisterSymbolAction(static _ => { }, SymbolKind.NamedType);
        context.RegisterOperationBlockAction(static _ => { });
    }
}
