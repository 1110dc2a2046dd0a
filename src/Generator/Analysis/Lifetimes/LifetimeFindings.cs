using BufferedMessages.Generator.Parsing;
using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Analysis;

/// <summary>Uses after the end of a lifetime: the first one in the file for each variable and each end.</summary>
internal sealed class LifetimeFindings
{
    private readonly Dictionary<(object Variable, Closing Closing), (LateUse Use, SyntaxNode Place)> _uses = [];

    /// <summary>Notes a use.</summary>
    public void Add(object variable, Closing closing, LateUse use, SyntaxNode place)
    {
        if (!_uses.TryGetValue((variable, closing), out var known) || place.SpanStart < known.Place.SpanStart)
        {
            _uses[(variable, closing)] = (use, place);
        }
    }

    /// <summary>Gets the diagnostics, in the order of the file.</summary>
    public IEnumerable<Diagnostic> Diagnostics() =>
        from use in _uses
        orderby use.Value.Place.SpanStart, use.Key.Closing.Position
        group use by use.Value.Place.Span into sameUse
        let first = sameUse.First()
        select DiagnosticOf(first.Key.Closing, first.Value.Use, first.Value.Place);

    /// <summary>Gets the text of code, in one line.</summary>
    public static string TextOf(SyntaxNode node) => string.Join(" ", node.ToString().Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));

    private static Diagnostic DiagnosticOf(Closing closing, LateUse use, SyntaxNode place)
    {
        var stale = ReferenceEquals(closing.Rule, Rules.UseAfterGivenBack) ? "when its bytes may be in use elsewhere" : "when its bytes may be gone or belong to another message";
        var (verb, why, remedy) = use switch
        {
            LateUse.Return => ("returned", stale, "copy what you need before that"),
            LateUse.Member => ("used", "which throws an exception", $"use it before {closing.Before}, or copy what you need"),
            LateUse.ClosingMember => ("called", "which throws an exception", $"call it before {closing.Before}, or call Dispose, which can be called twice"),
            _ => ("used", stale, $"use it before {closing.Before}, or copy what you need"),
        };
        return Diagnostic.Create(closing.Rule, place.GetLocation(), TextOf(place), verb, closing.After, why, remedy);
    }
}

/// <summary>The kind of a use after the end of a lifetime.</summary>
internal enum LateUse
{
    /// <summary>A view is read.</summary>
    View,

    /// <summary>A view is returned to the caller.</summary>
    Return,

    /// <summary>A member of a closed holder is used.</summary>
    Member,

    /// <summary>A closed holder is closed again, by a member that must be called only once.</summary>
    ClosingMember,
}
