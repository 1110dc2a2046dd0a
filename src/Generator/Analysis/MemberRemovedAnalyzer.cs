using System.Collections.Immutable;
using System.Globalization;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace BufferedMessages.Generator.Analysis;

/// <summary>Reports members of the layout file that the code does not have and does not reserve.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class MemberRemovedAnalyzer() : LayoutFileAnalyzer(Rules.MemberRemoved)
{
    private protected override IEnumerable<(string[] Arguments, ImmutableDictionary<string, string?> Properties)> Report(string type, LayoutComparison comparison)
    {
        foreach (var member in comparison.Removed)
        {
            var ordinal = member.Ordinal.ToString(CultureInfo.InvariantCulture);
            yield return (
                [member.Name!, ordinal],
                ImmutableDictionary<string, string?>.Empty
                    .Add(DiagnosticProperty.Ordinal, ordinal)
                    .Add(DiagnosticProperty.Kind, member.Kind));
        }
    }
}
