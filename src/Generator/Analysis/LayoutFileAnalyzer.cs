using System.Collections.Immutable;
using System.Globalization;
using System.Runtime.CompilerServices;
using BufferedMessages.Generator.Parsing;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Text;

namespace BufferedMessages.Generator.Analysis;

/// <summary>An analyzer that reports the rules for the layout file. They do not apply to a project without that file.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class LayoutFileAnalyzer() : SourceAnalyzer(Rules.LayoutNotInFile, Rules.LayoutChanged, Rules.MemberRemoved)
{
    private static readonly ImmutableDictionary<string, string?> NoProperties = ImmutableDictionary<string, string?>.Empty;

    // Keyed by text, so that the file is parsed once and not once per type.
    private static readonly ConditionalWeakTable<SourceText, LayoutFile> Known = new();

    private protected override IEnumerable<Diagnostic> Find(SymbolAnalysisContext context, INamedTypeSymbol source)
    {
        if (SourceFindings.Of(source, context.Compilation, context.CancellationToken).Layout is not { } layout
            || FileOf(context.Options.AdditionalFiles, context.CancellationToken) is not { } file)
        {
            yield break;
        }

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

    private static LayoutFile? FileOf(ImmutableArray<AdditionalText> files, CancellationToken cancellation) =>
        files.FirstOrDefault(static file => LayoutFile.IsOne(file.Path))?.GetText(cancellation) is { } text
            ? Known.GetValue(text, LayoutFile.Parse)
            : null;
}
