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
/// A generator that writes one file per source type: size calculator, writer, view and schema. The steps are symbol, model, plan, text; each is skipped
/// if the previous one gave an equal result. Unions need no plan. Analyzers report the mistakes in a source.
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
        var models = context.SyntaxProvider
            .ForAttributeWithMetadataName(
                SourceType.AttributeFullName,
                static (node, _) => node is TypeDeclarationSyntax,
                static (source, cancellation) => Parse(source, cancellation))
            .WithTrackingName(GeneratorStep.Parse);
        var unions = context.SyntaxProvider
            .ForAttributeWithMetadataName(
                UnionType.AttributeFullName,
                static (node, _) => node is TypeDeclarationSyntax,
                static (union, _) => ParseUnion(union))
            .WithTrackingName(GeneratorStep.ParseUnion);
        var plans = models
            .Combine(canCompileViews)
            .Select(static (input, _) => input is { Left: { } model, Right: true } ? Guard(static model => SourcePlan.Of(model), model) : null)
            .WithTrackingName(GeneratorStep.Plan);
        var files = plans
            .Select(static (plan, _) => plan is null ? null : Guard(static plan => MessageEmitter.Emit(plan), plan))
            .WithTrackingName(GeneratorStep.Emit);
        var unionFiles = unions
            .Combine(canCompileViews)
            .Select(static (input, _) => input is { Left: { } model, Right: true } ? Guard(static model => UnionEmitter.Emit(model), model) : null)
            .WithTrackingName(GeneratorStep.EmitUnion);
        context.RegisterSourceOutput(files, AddFile);
        context.RegisterSourceOutput(unionFiles, AddFile);
    }

    private static void AddFile(SourceProductionContext output, EmittedFile? file)
    {
        if (file is not null)
        {
            output.AddSource(file.HintName, SourceText.From(file.Text, Utf8));
        }
    }

    private static SourceModel? Parse(GeneratorAttributeSyntaxContext context, CancellationToken cancellation)
    {
        var source = (INamedTypeSymbol)context.TargetSymbol;
        return IsFirstPart(context, source, SourceType.AttributeName)
            ? Guard(source => MessageParser.Parse(source, context.SemanticModel.Compilation, sink: null, cancellation), source)
            : null;
    }

    private static UnionModel? ParseUnion(GeneratorAttributeSyntaxContext context)
    {
        var union = (INamedTypeSymbol)context.TargetSymbol;
        return IsFirstPart(context, union, UnionType.AttributeName)
            ? Guard(union => UnionParser.Parse(union, context.SemanticModel.Compilation, sink: null), union)
            : null;
    }

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
