using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Parsing;

/// <summary>Takes what the parser finds wrong. Analyzers pass one; the generator passes none, it only skips what is wrong.</summary>
internal interface IProblemSink
{
    /// <summary>Takes one broken rule.</summary>
    /// <param name="rule">One of <see cref="Problem"/>.</param>
    /// <param name="symbol">The symbol that breaks it.</param>
    /// <param name="arguments">What the rule's message names.</param>
    void Report(string rule, ISymbol symbol, params string[] arguments);

    /// <summary>Takes one broken rule.</summary>
    /// <param name="rule">One of <see cref="Problem"/>.</param>
    /// <param name="attribute">The attribute that breaks it.</param>
    /// <param name="arguments">What the rule's message names.</param>
    void Report(string rule, AttributeData attribute, params string[] arguments);
}
