using System.Collections.Immutable;
using System.Composition;
using BufferedMessages.Generator.Analysis;
using BufferedMessages.Generator.Parsing;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.Text;

namespace BufferedMessages.CodeFixes;

/// <summary>A fix that writes the layout of a type into the layout file.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class AddToLayoutFileCodeFix() : SourceCodeFix("Write the layout to " + LayoutFile.Name, Rules.LayoutNotInFile.Id)
{
    internal override async Task<Solution> FixAsync(Solution solution, ImmutableArray<Diagnostic> diagnostics, CancellationToken cancellation)
    {
        var byProject = diagnostics.GroupBy(diagnostic => solution.GetDocument(diagnostic.Location.SourceTree)?.Project.Id);
        foreach (var group in byProject.Where(static group => group.Key is not null).ToList())
        {
            // A link to a file can have another name than the file.
            var file = solution.GetProject(group.Key)!.AdditionalDocuments.First(static document => LayoutFile.IsOne(document.FilePath ?? document.Name));
            var text = await file.GetTextAsync(cancellation).ConfigureAwait(false);
            var layouts = LayoutFile.Parse(text);
            foreach (var diagnostic in group)
            {
                layouts = layouts.With(TypeLayout.Parse(diagnostic.Properties[DiagnosticProperty.Layout]!));
            }

            solution = solution.WithAdditionalDocumentText(file.Id, SourceText.From(layouts.ToString(), text.Encoding));
        }

        return solution;
    }
}
