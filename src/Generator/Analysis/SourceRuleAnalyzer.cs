using System.Collections.Immutable;
using BufferedMessages.Generator.Parsing;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace BufferedMessages.Generator.Analysis;

/// <summary>An analyzer that reports the rules for the declarations of sources and unions, as the generator's own parser finds them, so that both always agree.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class SourceRuleAnalyzer() : SourceAnalyzer(
    Rules.NotPartial, Rules.ContainerNotPartial, Rules.NotConstructible, Rules.Generic, Rules.FileLocal, Rules.NameTaken, Rules.NoMembers,
    Rules.LanguageTooOld, Rules.UnsupportedType, Rules.NotASource, Rules.UnstableLayout, Rules.NoGetter, Rules.DuplicateOrdinal,
    Rules.MissingOrdinal, Rules.OrdinalOutOfRange, Rules.UnsupportedKey, Rules.NotStored, Rules.NotAUnion, Rules.NoCases,
    Rules.DuplicateCaseNumber, Rules.CaseNumberOutOfRange, Rules.CaseNotASource, Rules.UnfitCase, Rules.DuplicateCase, Rules.MissingCase)
{
    private protected override IEnumerable<Diagnostic> Find(SymbolAnalysisContext context, INamedTypeSymbol source)
    {
        var problems = ProblemsOf(source);
        if (problems.Count == 0)
        {
            return [];
        }

        // A base that is a source reports its own problems, also where the derived type would word them differently.
        var inBases = source.DerivedFirst().Skip(1)
            .Where(static type => SourceType.IsSource(type) && !type.DeclaringSyntaxReferences.IsEmpty)
            .SelectMany(ProblemsOf)
            .Select(static problem => (problem.Rule, problem.Place))
            .ToList();
        var properties = ImmutableDictionary<string, string?>.Empty.Add(DiagnosticProperty.Source, source.GetDocumentationCommentId());
        return problems
            .Where(problem => !inBases.Contains((problem.Rule, problem.Place)))
            .Select(problem => Diagnostic.Create(problem.Rule, problem.Place, properties, problem.Arguments.Cast<object>().ToArray()));

        IReadOnlyList<(DiagnosticDescriptor Rule, Location Place, string[] Arguments)> ProblemsOf(INamedTypeSymbol type) =>
            SourceFindings.Of(type, context.Compilation, context.CancellationToken).Problems;
    }
}
