using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Analysis;

/// <summary>Uses after the end of a lifetime: for each variable and each end the first one in the file.</summary>
internal sealed class LifetimeFindings
{
    private readonly Dictionary<(object Variable, Closing Closing), SyntaxNode> _uses = [];

    /// <summary>Notes a use.</summary>
    public void Add(object variable, Closing closing, SyntaxNode use)
    {
        if (!_uses.TryGetValue((variable, closing), out var known) || use.SpanStart < known.SpanStart)
        {
            _uses[(variable, closing)] = use;
        }
    }

    /// <summary>The diagnostics, in the order of the file.</summary>
    public IEnumerable<Diagnostic> Diagnostics() =>
        from use in _uses
        orderby use.Value.SpanStart, use.Key.Closing.Position
        group use by use.Value.Span into sameUse
        select sameUse.First() into first
        let closing = first.Key.Closing
        select Diagnostic.Create(closing.Rule, first.Value.GetLocation(), TextOf(first.Value), closing.After, closing.Before);

    /// <summary>The text of code, in one line.</summary>
    public static string TextOf(SyntaxNode node) => string.Join(" ", node.ToString().Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));
}
