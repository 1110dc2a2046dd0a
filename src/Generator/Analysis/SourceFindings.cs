using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using BufferedMessages.Generator.Emission;
using BufferedMessages.Generator.Layout;
using BufferedMessages.Generator.Model;
using BufferedMessages.Generator.Parsing;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace BufferedMessages.Generator.Analysis;

/// <summary>
/// The findings of the generator's own parser in a source type or a union. They are computed once per type and compilation, shared by the rules, and released
/// with the compilation. The model of a source is made only for the layout file, and where generated code is missing.
/// </summary>
internal sealed class SourceFindings : IProblemSink
{
    private static readonly ConditionalWeakTable<Compilation, ConcurrentDictionary<ISymbol, SourceFindings>> Known = new();

    private readonly List<(DiagnosticDescriptor Rule, Location Place, string[] Arguments)> _problems = [];
    private readonly INamedTypeSymbol _source;
    private readonly Compilation _compilation;
    private readonly Lazy<(SourceModel? Model, Exception? Failure)> _model;
    private readonly UnionModel? _union;
    private readonly bool _hasUnknownTypes;
    private readonly Exception? _parserFailure;

    private SourceFindings(INamedTypeSymbol source, Compilation compilation, CancellationToken cancellation)
    {
        _source = source;
        _compilation = compilation;

        // Views are ref structs that implement interfaces, which needs C# 13.
        if (compilation is CSharpCompilation { LanguageVersion: < LanguageVersion.CSharp13 and var version })
        {
            _problems.Add((Rules.LanguageTooOld, source.Locations[0], [source.Name, version.ToDisplayString()]));
        }

        ArrangedMembers? members = null;
        try
        {
            members = SourceType.IsSource(source) ? MessageParser.FindMembers(source, compilation, this, cancellation) : null;
            _union = UnionType.IsUnion(source) ? UnionParser.Parse(source, compilation, this) : null;
            _hasUnknownTypes = (members is not null && (members.HasUnknownTypes || UnseenMembers.Report(source, members.Members, this)))
                || (_union is not null && UnionType.CaseTypesOf(source).Any(static type => type.TypeKind == TypeKind.Error));
        }
        catch (Exception exception) when (exception is not OperationCanceledException)
        {
            _parserFailure = exception;
        }

        _model = new Lazy<(SourceModel?, Exception?)>(() => ModelOf(source, members, compilation));
    }

    /// <summary>Gets the broken rules in the order in which they were found, with the place of each and the arguments of its message.</summary>
    public IReadOnlyList<(DiagnosticDescriptor Rule, Location Place, string[] Arguments)> Problems => _problems;

    /// <summary>Gets the layout of the type; null if the type itself breaks a rule, or if its members or the types of its members or cases are not known to the generator.</summary>
    public TypeLayout? Layout =>
        _hasUnknownTypes ? null
        : _union is not null ? LayoutOf(_union, _source)
        : _model.Value.Model is { } model ? TypeLayout.Of(model.Message, _source.Name, hasErrors: model.OrdinalError is not null)
        : null;

    /// <summary>
    /// Gets the exception that kept the generator from writing code for the type; null if there is none. Code that exists did not fail, so it is not written again.
    /// </summary>
    public Exception? Failure => _parserFailure ?? (IsWritten ? null : _model.Value.Failure ?? Emit());

    private bool IsWritten => _source.GetTypeMembers(GeneratedNames.Block).Any(SymbolExtensions.IsGenerated);

    /// <summary>Gets the findings in a source type. Thread-safe.</summary>
    public static SourceFindings Of(INamedTypeSymbol source, Compilation compilation, CancellationToken cancellation) =>
        Known
            .GetValue(compilation, static _ => new ConcurrentDictionary<ISymbol, SourceFindings>(SymbolEqualityComparer.Default))
            .GetOrAdd(source, _ => new SourceFindings(source, compilation, cancellation));

    void IProblemSink.Report(DiagnosticDescriptor rule, ISymbol symbol, params string[] arguments) =>
        _problems.Add((rule, PlaceOf(symbol.Locations.FirstOrDefault()), arguments));

    void IProblemSink.Report(DiagnosticDescriptor rule, AttributeData attribute, params string[] arguments) =>
        _problems.Add((rule, PlaceOf(attribute.ApplicationSyntaxReference?.GetSyntax().GetLocation()), arguments));

    // A member inherited from another assembly has no location in this project's code. In an editor it may have one in that of another project, where no
    // analyzer of this one can report.
    private Location PlaceOf(Location? place) => place?.SourceTree is { } file && _compilation.ContainsSyntaxTree(file) ? place : _source.Locations[0];

    private static TypeLayout LayoutOf(UnionModel union, INamedTypeSymbol source) =>
        new(TypeLayout.UnionKeyword, union.FullName, [.. SchemaText.LinesOf(union)], HasErrors: union.NumberError is not null)
        {
            Title = source.Name,
            Cases = union.NumberError is null ? [] : [.. UnionType.CaseNamesOf(source)],
        };

    private static (SourceModel? Model, Exception? Failure) ModelOf(INamedTypeSymbol source, ArrangedMembers? members, Compilation compilation)
    {
        try
        {
            return (members is null ? null : MessageParser.ModelOf(source, members, compilation, CancellationToken.None), null);
        }
        catch (Exception exception) when (exception is not OperationCanceledException)
        {
            return (null, exception);
        }
    }

    private Exception? Emit()
    {
        try
        {
            _ = _model.Value.Model is { } model ? MessageEmitter.Emit(SourcePlan.Of(model)) : null;
            _ = _union is null ? null : UnionEmitter.Emit(_union);
            return null;
        }
        catch (Exception exception) when (exception is not OperationCanceledException)
        {
            return exception;
        }
    }
}
