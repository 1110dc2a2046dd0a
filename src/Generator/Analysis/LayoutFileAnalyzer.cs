using System.Collections.Immutable;
using System.Runtime.CompilerServices;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Text;

namespace BufferedMessages.Generator.Analysis;

/// <summary>Reports one rule about the layout file. A project without that file has no such rules.</summary>
/// <param name="rule">The rule.</param>
public abstract class LayoutFileAnalyzer(DiagnosticDescriptor rule) : SourceRuleAnalyzer(rule)
{
    // By text: the file is read once, not once for each type.
    private static readonly ConditionalWeakTable<SourceText, LayoutFile> Known = new();

    private protected sealed override IEnumerable<Diagnostic> Find(SymbolAnalysisContext context, INamedTypeSymbol source)
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
            foreach (var (arguments, properties) in Report(comparison))
            {
                yield return Diagnostic.Create(SupportedDiagnostics[0], source.Locations[0], properties, [next.Title, .. arguments]);
            }

            // Where members have moved, other anonymous messages bear the names of the shipped ones: that is the same mistake.
            foreach (var anonymous in comparison.IsConsistent ? next.Anonymous : [])
            {
                open.Enqueue(anonymous);
            }
        }
    }

    private protected abstract IEnumerable<(string[] Arguments, ImmutableDictionary<string, string?> Properties)> Report(LayoutComparison comparison);

    private static LayoutFile? FileOf(ImmutableArray<AdditionalText> files, CancellationToken cancellation) =>
        files.FirstOrDefault(static file => LayoutFile.IsOne(file.Path))?.GetText(cancellation) is { } text
            ? Known.GetValue(text, LayoutFile.Parse)
            : null;
}
