using System.Collections.Immutable;
using System.Globalization;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace BufferedMessages.Generator.Analysis;

/// <summary>Reports members and cases of the layout file that the code does not have and does not reserve.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class MemberRemovedAnalyzer() : LayoutFileAnalyzer(Rules.MemberRemoved)
{
    private protected override IEnumerable<(string[] Arguments, ImmutableDictionary<string, string?> Properties)> Report(LayoutComparison comparison)
    {
        foreach (var member in comparison.Removed)
        {
            var ordinal = member.Ordinal.ToString(CultureInfo.InvariantCulture);
            yield return (
                comparison.Code.IsUnion
                    ? [$"case '{member.Name}'", "number " + ordinal, $"[BufferedReserved({ordinal})]"]
                    : [$"member '{member.Name}'", "ordinal " + ordinal, $"[BufferedReserved({ordinal}, ...)]"],
                ImmutableDictionary<string, string?>.Empty
                    .Add(DiagnosticProperty.Ordinal, ordinal)
                    .Add(DiagnosticProperty.Kind, comparison.Code.IsUnion ? null : member.Kind));
        }
    }
}
