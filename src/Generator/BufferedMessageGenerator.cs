using System.Collections.Immutable;
using System.Text;
using BufferedMessages.Generator.Emission;
using BufferedMessages.Generator.Model;
using BufferedMessages.Generator.Parsing;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

namespace BufferedMessages.Generator;

/// <summary>
/// A generator that writes one file per source type: size calculator, writer, view and schema. The steps are input, model, plan, text; each is skipped
/// if the previous one gave an equal result. Unions need no plan. Analyzers report the mistakes in a source; the generator reports those that keep analyzers from running.
/// </summary>
[Generator(LanguageNames.CSharp)]
public sealed class BufferedMessageGenerator : IIncrementalGenerator
{
    // Without a byte order mark: generated files may be checked in.
    private static readonly Encoding Utf8 = new UTF8Encoding(encoderShouldEmitUTF8Identifier: false);

    /// <inheritdoc/>
    public void Initialize(IncrementalGeneratorInitializationContext context)
    {
        // Views are ref structs that implement interfaces, which needs C# 13.
        var canCompileViews = context.ParseOptionsProvider
            .Select(static (options, _) => options is CSharpParseOptions { LanguageVersion: >= LanguageVersion.CSharp13 })
            .WithTrackingName(GeneratorStep.Language);
        var sources = TypesWith(context, SourceType.AttributeFullName, SourceType.AttributeName);
        var unions = TypesWith(context, UnionType.AttributeFullName, UnionType.AttributeName);
        var project = ProjectAround(context, sources, unions);
        var models = Parse(context, sources, project, static (source, compilation, cancellation) => MessageParser.Parse(source, compilation, cancellation))
            .WithTrackingName(GeneratorStep.Parse);
        var unionModels = Parse(context, unions, project, static (union, compilation, _) => UnionParser.Parse(union, compilation, sink: null))
            .WithTrackingName(GeneratorStep.ParseUnion);
        var plans = models
            .Combine(canCompileViews)
            .Select(static (input, _) => input is { Left: { } model, Right: true } ? Guard(static model => SourcePlan.Of(model), model) : null)
            .WithTrackingName(GeneratorStep.Plan);
        var files = plans
            .Select(static (plan, _) => plan is null ? null : Guard(static plan => MessageEmitter.Emit(plan), plan))
            .WithTrackingName(GeneratorStep.Emit);
        var unionFiles = unionModels
            .Combine(canCompileViews)
            .Select(static (input, _) => input is { Left: { } model, Right: true } ? Guard(static model => UnionEmitter.Emit(model), model) : null)
            .WithTrackingName(GeneratorStep.EmitUnion);
        context.RegisterSourceOutput(files, AddFile);
        context.RegisterSourceOutput(unionFiles, AddFile);
        context.RegisterSourceOutput(PositionalNamesIn(context), static (output, name) => output.ReportDiagnostic(name.ToProblem()));

        var generatedViews = models.Select(static (model, _) => model?.Message.View.Name)
            .Collect()
            .Combine(models.Select(static (model, _) => model?.Writer?.Name).Collect())
            .Combine(unionModels.Select(static (model, _) => model?.View.Name).Collect())
            .Select(static (names, _) => new EquatableArray<string>(names.Left.Left.Concat(names.Left.Right).Concat(names.Right).OfType<string>()));
        context.RegisterSourceOutput(AsyncViewsIn(context).Combine(generatedViews), static (output, found) => Report(output, found.Left, found.Right));
    }

    private static void Report(SourceProductionContext output, AsyncView view, EquatableArray<string> generatedViews)
    {
        if (view.UnknownType is null || generatedViews.Any(name => string.Equals(name.TrimStart('@'), view.UnknownType, StringComparison.Ordinal)))
        {
            output.ReportDiagnostic(view.ToProblem());
        }
    }

    private static IncrementalValuesProvider<AsyncView> AsyncViewsIn(IncrementalGeneratorInitializationContext context) =>
        context.SyntaxProvider
            .CreateSyntaxProvider(
                static (node, _) => AsyncView.IsCandidate(node),
                static (found, cancellation) => AsyncView.In((MethodDeclarationSyntax)found.Node, found.SemanticModel, cancellation).ToImmutableArray())
            .SelectMany(static (views, _) => views);

    private static IncrementalValuesProvider<PositionalName> PositionalNamesIn(IncrementalGeneratorInitializationContext context) =>
        context.SyntaxProvider
            .CreateSyntaxProvider(
                static (node, _) => PositionalName.IsCandidate(node),
                static (found, cancellation) => PositionalName.In((RecordDeclarationSyntax)found.Node, found.SemanticModel, cancellation))
            .Where(static name => name is not null)
            .Select(static (name, _) => name!);

    private static void AddFile(SourceProductionContext output, EmittedFile? file)
    {
        if (file is not null)
        {
            output.AddSource(file.HintName, SourceText.From(file.Text, Utf8));
        }
    }

    private static IncrementalValuesProvider<TypeName> TypesWith(IncrementalGeneratorInitializationContext context, string attributeFullName, string attribute) =>
        context.SyntaxProvider
            .ForAttributeWithMetadataName(
                attributeFullName,
                static (node, _) => node is TypeDeclarationSyntax,
                (found, _) => found.TargetSymbol is INamedTypeSymbol type && IsFirstPart(found, type, attribute) ? TypeName.Of(type) : null)
            .Where(static type => type is not null)
            .Select(static (type, _) => type!);

    /// <summary>Outlines the files of a project that has sources or unions. After an edit only the edited file is outlined again.</summary>
    private static IncrementalValueProvider<ProjectOutline> ProjectAround(
        IncrementalGeneratorInitializationContext context, IncrementalValuesProvider<TypeName> sources, IncrementalValuesProvider<TypeName> unions)
    {
        var isNeeded = sources.Collect().Combine(unions.Collect()).Select(static (types, _) => !types.Left.IsEmpty || !types.Right.IsEmpty);
        var files = context.CompilationProvider
            .Combine(isNeeded)
            .SelectMany(static (input, _) => input.Right ? input.Left.SyntaxTrees : [])
            .Select(FileOutline.Of)
            .Collect();
        var frame = files.Combine(context.CompilationProvider).Select(static (input, _) => new ProjectFrame(input.Left, input.Right));
        return files.Combine(frame).Select(static (input, _) => new ProjectOutline(input.Left, input.Right));
    }

    /// <summary>Parses the types whose input changed. A step that is skipped keeps its old input, so the compilation in it is held weakly.</summary>
    private static IncrementalValuesProvider<TModel?> Parse<TModel>(
        IncrementalGeneratorInitializationContext context,
        IncrementalValuesProvider<TypeName> types,
        IncrementalValueProvider<ProjectOutline> project,
        Func<INamedTypeSymbol, Compilation, CancellationToken, TModel?> parse)
        where TModel : class =>
        types
            .Combine(project)
            .Select(static (input, _) => input.Right.InputOf(input.Left))
            .Combine(context.CompilationProvider.Select(static (compilation, _) => new WeakReference<Compilation>(compilation)))
            .WithComparer(InputComparer.Instance)
            .Select((input, cancellation) => input.Right.TryGetTarget(out var compilation) && input.Left.Type.In(compilation) is { } type
                ? Guard(type => parse(type, compilation, cancellation), type)
                : null);

    // The compiler reports the attribute on two parts of a type; the file must still be written only once.
    private static bool IsFirstPart(GeneratorAttributeSyntaxContext context, INamedTypeSymbol type, string attribute) =>
        type.ProductAttribute(attribute)?.ApplicationSyntaxReference is { } first
        && first.SyntaxTree == context.TargetNode.SyntaxTree
        && context.TargetNode.Span.Contains(first.Span);

    // A bug in the generator costs the file of one type. The analyzer for BMSG9001 runs the same steps and reports the exception.
    private static TResult? Guard<T, TResult>(Func<T, TResult?> step, T input)
        where TResult : class
    {
        try
        {
            return step(input);
        }
        catch (Exception exception) when (exception is not OperationCanceledException)
        {
            return null;
        }
    }
}
