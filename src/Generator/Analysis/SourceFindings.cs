using System.Collections.Concurrent;
using System.Collections.Immutable;
using System.Runtime.CompilerServices;
using BufferedMessages.Generator.Emission;
using BufferedMessages.Generator.Model;
using BufferedMessages.Generator.Parsing;
using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Analysis;

/// <summary>
/// What the generator's own steps find in a source type. The analyzers of all rules ask for it, so it is found once per type and
/// compilation, and forgotten with the compilation.
/// </summary>
internal sealed class SourceFindings : IProblemSink
{
    private static readonly ConditionalWeakTable<Compilation, ConcurrentDictionary<ISymbol, SourceFindings>> Known = new();

    private readonly List<(string Rule, ISymbol Symbol, string[] Arguments)> _problems = [];

    private SourceFindings(INamedTypeSymbol source, Compilation compilation, CancellationToken cancellation)
    {
        try
        {
            Message = MessageParser.Parse(source, compilation, this, cancellation);
            if (Message is not null)
            {
                MessageEmitter.Emit(MessagePlan.Of(Message));
            }
        }
        catch (Exception exception) when (exception is not OperationCanceledException)
        {
            Failure = exception;
        }
    }

    /// <summary>The model of the type; null if the type itself breaks a rule.</summary>
    public MessageModel? Message { get; }

    /// <summary>Why the generator makes no code for the type, if it fails.</summary>
    public Exception? Failure { get; }

    /// <summary>What is found in a source type. Safe for all threads.</summary>
    public static SourceFindings Of(INamedTypeSymbol source, Compilation compilation, CancellationToken cancellation) =>
        Known
            .GetValue(compilation, static _ => new ConcurrentDictionary<ISymbol, SourceFindings>(SymbolEqualityComparer.Default))
            .GetOrAdd(source, _ => new SourceFindings(source, compilation, cancellation));

    /// <summary>What breaks a rule: the symbol, and what the rule's message names.</summary>
    public IEnumerable<(ISymbol Symbol, string[] Arguments)> Breaking(string rule) =>
        _problems
            .Where(problem => string.Equals(problem.Rule, rule, StringComparison.Ordinal))
            .Select(static problem => (problem.Symbol, problem.Arguments));

    void IProblemSink.Report(string rule, ISymbol symbol, params string[] arguments) => _problems.Add((rule, symbol, arguments));
}
