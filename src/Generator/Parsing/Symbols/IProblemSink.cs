using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Parsing;

/// <summary>A receiver of the broken rules that the parser finds. Analyzers pass one. The generator passes none, and only skips the parts that break a rule.</summary>
internal interface IProblemSink
{
    /// <summary>Receives one broken rule.</summary>
    /// <param name="rule">One of <see cref="Rules"/>.</param>
    /// <param name="symbol">The symbol that breaks it.</param>
    /// <param name="arguments">The arguments of the rule's message.</param>
    void Report(DiagnosticDescriptor rule, ISymbol symbol, params string[] arguments);

    /// <summary>Receives one broken rule.</summary>
    /// <param name="rule">One of <see cref="Rules"/>.</param>
    /// <param name="attribute">The attribute that breaks it.</param>
    /// <param name="arguments">The arguments of the rule's message.</param>
    void Report(DiagnosticDescriptor rule, AttributeData attribute, params string[] arguments);
}
