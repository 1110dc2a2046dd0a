using System.Collections.Concurrent;
using System.Collections.Immutable;
using System.Globalization;
using BufferedMessages.Generator.Parsing;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace BufferedMessages.Generator.Analysis;

/// <summary>
/// An analyzer that reports the rules for source types and unions: those for declarations, as the generator's own parser finds them, so that both always agree;
/// those for the layout file; and failures of the generator. Each type is parsed once for all of them. Analyzers report, not the generator, because pragmas,
/// severities and code fixes work for analyzers only. The exceptions are errors in declarations that keep analyzers from running: <see cref="AsyncView"/> and <see cref="PositionalName"/>.
/// </summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class SourceAnalyzer : ProductAnalyzer
{
    private readonly Func<INamedTypeSymbol, SourceFindings, Exception?> _findFailure;

    /// <summary>Initializes an analyzer of the generator's own steps.</summary>
    public SourceAnalyzer()
        : this(static (_, findings) => findings.Failure)
    {
    }

    /// <summary>Initializes an analyzer of other steps, for tests: the generator itself does not fail.</summary>
    internal SourceAnalyzer(Func<INamedTypeSymbol, SourceFindings, Exception?> findFailure)
        : base(
            Rules.NotPartial, Rules.ContainerNotPartial, Rules.NotConstructible, Rules.Generic, Rules.FileLocal, Rules.NameTaken, Rules.NoMembers,
            Rules.LanguageTooOld, Rules.DerivesFromCollection, Rules.UnsupportedType, Rules.NotASource, Rules.UnstableLayout, Rules.NoGetter, Rules.DuplicateOrdinal,
            Rules.MissingOrdinal, Rules.OrdinalOutOfRange, Rules.UnsupportedKey, Rules.UnfitConverter, Rules.NotStored, Rules.NotAUnion, Rules.NoCases,
            Rules.DuplicateCaseNumber, Rules.CaseNumberOutOfRange, Rules.CaseNotASource, Rules.UnfitCase, Rules.DuplicateCase, Rules.MissingCase,
            Rules.LayoutNotInFile, Rules.LayoutChanged, Rules.MemberRemoved,
            Rules.GeneratorFailed) => _findFailure = findFailure;

    private protected override void Register(AnalysisContext context)
    {
        context.RegisterCompilationStartAction(start =>
        {
            // Types that share a base find the same mistake in it. The first of them reports it, and again if an editor asks for a type a second time.
            var reported = new ConcurrentDictionary<(string Rule, Location Place, string Message), INamedTypeSymbol>();
            start.RegisterSymbolAction(
                symbol =>
                {
                    if (symbol.Symbol is INamedTypeSymbol type && (SourceType.IsSource(type) || UnionType.IsUnion(type)))
                    {
                        foreach (var problem in Find(symbol, type).Distinct())
                        {
                            var first = reported.GetOrAdd((problem.Id, problem.Location, problem.GetMessage(CultureInfo.InvariantCulture)), type);
                            if (SymbolEqualityComparer.Default.Equals(first, type))
                            {
                                symbol.ReportDiagnostic(problem);
                            }
                        }
                    }
                },
                SymbolKind.NamedType);
        });
    }

    private IEnumerable<Diagnostic> Find(SymbolAnalysisContext context, INamedTypeSymbol source)
    {
        var findings = SourceFindings.Of(source, context.Compilation, context.CancellationToken);
        var problems = FindBroken(context, source, findings);
        if (LayoutRules.FileOf(context.Options, context.CancellationToken) is { } file && findings.Layout is { } layout)
        {
            problems = problems.Concat(LayoutRules.Find(source, layout, file));
        }

        return _findFailure(source, findings) is { } failure
            ? problems.Append(Diagnostic.Create(Rules.GeneratorFailed, source.Locations[0], source.Name, failure.Message))
            : problems;
    }

    private static IEnumerable<Diagnostic> FindBroken(SymbolAnalysisContext context, INamedTypeSymbol source, SourceFindings findings)
    {
        if (findings.Problems.Count == 0)
        {
            return [];
        }

        // A base that is a source reports its own problems, even where the derived type would word them differently.
        var inBases = source.DerivedFirst().Skip(1)
            .Where(type => SourceType.IsSource(type) && type.IsDeclaredWith(source))
            .SelectMany(type => SourceFindings.Of(type, context.Compilation, context.CancellationToken).Problems)
            .Select(static problem => (problem.Rule, problem.Place))
            .ToList();
        var properties = ImmutableDictionary<string, string?>.Empty.Add(DiagnosticProperty.Source, source.GetDocumentationCommentId());
        return findings.Problems
            .Where(problem => !inBases.Contains((problem.Rule, problem.Place)))
            .Select(problem => Diagnostic.Create(problem.Rule, problem.Place, properties, problem.Arguments.Cast<object>().ToArray()));
    }
}
