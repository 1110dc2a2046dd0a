using System.Collections.Immutable;
using System.Globalization;
using System.Runtime.CompilerServices;
using BufferedMessages.Generator.Parsing;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Text;

namespace BufferedMessages.Generator.Analysis;

/// <summary>The rules for the layout file. They do not apply to a project without that file.</summary>
internal static class LayoutRules
{
    private static readonly ImmutableDictionary<string, string?> NoProperties = ImmutableDictionary<string, string?>.Empty;

    // Keyed by text, so that the file is parsed once and not once per type.
    private static readonly ConditionalWeakTable<SourceText, LayoutFile> Known = new();

    /// <summary>Gets the layout file of a project; null if it has none.</summary>
    public static LayoutFile? FileOf(AnalyzerOptions options, CancellationToken cancellation) =>
        options.AdditionalFiles.FirstOrDefault(static file => LayoutFile.IsOne(file.Path))?.GetText(cancellation) is { } text
            ? Known.GetValue(text, LayoutFile.Parse)
            : null;

    /// <summary>Compares the layout of a source or a union with the shipped one.</summary>
    public static IEnumerable<Diagnostic> Find(INamedTypeSymbol source, TypeLayout layout, LayoutFile file)
    {
        var open = new Queue<TypeLayout>([layout]);
        while (open.Count != 0)
        {
            var next = open.Dequeue();
            var comparison = new LayoutComparison(file.LayoutOf(next.Name), next);
            foreach (var (rule, arguments, properties) in ProblemsOf(comparison))
            {
                yield return Diagnostic.Create(rule, source.Locations[0], properties, [next.Title, .. arguments]);
            }

            // Where members have moved, the anonymous messages no longer have their shipped names: that is the same mistake.
            foreach (var anonymous in comparison.IsConsistent ? next.Anonymous : [])
            {
                open.Enqueue(anonymous);
            }
        }
    }

    private static IEnumerable<(DiagnosticDescriptor Rule, string[] Arguments, ImmutableDictionary<string, string?> Properties)> ProblemsOf(LayoutComparison comparison)
    {
        if (comparison.FirstNew is { } missing)
        {
            yield return (Rules.LayoutNotInFile, [missing], NoProperties.Add(DiagnosticProperty.Layout, comparison.Code.ToString()));
        }

        if (comparison.Changed.Count != 0)
        {
            var changes = string.Join(", ", comparison.Changed.Select(static lines => $"'{lines.Shipped}' is now '{lines.Code}'"));
            yield return (Rules.LayoutChanged, [changes], NoProperties);
        }

        foreach (var member in comparison.Removed)
        {
            var ordinal = member.Ordinal.ToString(CultureInfo.InvariantCulture);
            string[] arguments = comparison.Code.IsUnion
                ? [$"case '{member.Name}'", "number " + ordinal, $"[BufferedReserved({ordinal})]"]
                : [$"member '{member.Name}'", "ordinal " + ordinal, $"[BufferedReserved({ordinal}, ...)]"];
            var properties = NoProperties.Add(DiagnosticProperty.Ordinal, ordinal).Add(DiagnosticProperty.Kind, comparison.Code.IsUnion ? null : member.Kind);
            yield return (Rules.MemberRemoved, arguments, properties);
        }
    }
}
