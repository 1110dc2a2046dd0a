using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace BufferedMessages.Generator.Analysis;

/// <summary>Reports types whose layout contradicts the layout file.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class LayoutChangedAnalyzer() : LayoutFileAnalyzer(Rules.LayoutChanged)
{
    private protected override IEnumerable<(string[] Arguments, ImmutableDictionary<string, string?> Properties)> Report(LayoutComparison comparison)
    {
        if (comparison.Changed.Count != 0)
        {
            yield return (
                [string.Join(", ", comparison.Changed.Select(static lines => $"'{lines.Shipped}' is '{lines.Code}' now"))],
                ImmutableDictionary<string, string?>.Empty);
        }
    }
}
