using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace BufferedMessages.Generator.Analysis;

/// <summary>Reports types whose layout the layout file does not have, or not with all members.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class LayoutNotInFileAnalyzer() : LayoutFileAnalyzer(Rules.LayoutNotInFile)
{
    private protected override IEnumerable<(string[] Arguments, ImmutableDictionary<string, string?> Properties)> Report(LayoutComparison comparison)
    {
        if (comparison.FirstNew is { } missing)
        {
            yield return (
                [missing],
                ImmutableDictionary<string, string?>.Empty
                    .Add(DiagnosticProperty.Layout, comparison.Code.ToString()));
        }
    }
}
