using BufferedMessages.Generator.Emission;
using BufferedMessages.Generator.Parsing;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace BufferedMessages.Generator.Analysis;

/// <summary>Reports types for which the generator fails: it makes the generator's steps and looks for an exception.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class GeneratorFailedAnalyzer : SourceRuleAnalyzer
{
    private readonly Action<INamedTypeSymbol, Compilation, CancellationToken> _generate;

    /// <summary>Makes the generator's own steps.</summary>
    public GeneratorFailedAnalyzer()
        : this(static (source, compilation, cancellation) =>
        {
            if (MessageParser.Parse(source, compilation, sink: null, cancellation) is { } message)
            {
                MessageEmitter.Emit(MessagePlan.Of(message));
            }
        })
    {
    }

    /// <summary>Makes other steps, for tests: a generator without a known mistake does not fail.</summary>
    internal GeneratorFailedAnalyzer(Action<INamedTypeSymbol, Compilation, CancellationToken> generate)
        : base(Rules.GeneratorFailed) => _generate = generate;

    private protected override void Analyze(SymbolAnalysisContext context, INamedTypeSymbol source)
    {
        try
        {
            _generate(source, context.Compilation, context.CancellationToken);
        }
        catch (Exception exception) when (exception is not OperationCanceledException)
        {
            context.ReportDiagnostic(Diagnostic.Create(Rules.GeneratorFailed, source.Locations[0], source.Name, exception.Message));
        }
    }
}
