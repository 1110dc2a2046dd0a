using BufferedMessages.Generator.Model;
using BufferedMessages.Generator.Parsing;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Diagnostics;

namespace BufferedMessages.Generator.Analysis;

/// <summary>
/// An analyzer that reports queues that are opened with a type of the other side, and suggests the right one. The compiler rejects such a call too, but its
/// message names interfaces that users never see. The rule works on code that does not compile.
/// </summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class QueueTypeAnalyzer() : ProductAnalyzer(Rules.QueueType)
{
    private const string Product = "BufferedMessages";
    private const string OpenProducer = "OpenProducer";

    private const string OpenPublisher = "OpenPublisher";

    private static readonly string[] Methods = [OpenProducer, OpenPublisher, "OpenConsumer", "OpenReader"];

    private protected override void Register(AnalysisContext context)
    {
        context.RegisterSyntaxNodeAction(static call => Analyze(call), SyntaxKind.GenericName);
    }

    private static void Analyze(SyntaxNodeAnalysisContext context)
    {
        var name = (GenericNameSyntax)context.Node;
        var method = name.Identifier.ValueText;
        if (name.TypeArgumentList.Arguments is not [{ } argument]
            || !Methods.Contains(method, StringComparer.Ordinal)
            || !IsOfQueue(name, context.SemanticModel, context.CancellationToken)
            || (context.SemanticModel.GetSymbolInfo(name, context.CancellationToken).Symbol is { } called && !called.ContainingNamespace.IsNamed(Product))
            || context.SemanticModel.GetTypeInfo(argument, context.CancellationToken).Type is not { TypeKind: not (TypeKind.Error or TypeKind.TypeParameter) } type)
        {
            return;
        }

        var isProducer = method is OpenProducer or OpenPublisher;
        if ((isProducer ? ProducerProblem(type, context.Compilation) : ConsumerProblem(type, method, context.Compilation)) is var (reason, instead))
        {
            context.ReportDiagnostic(Diagnostic.Create(Rules.QueueType, argument.GetLocation(), $"{method}<{argument}>", reason, instead));
        }
    }

    private static bool IsOfQueue(GenericNameSyntax name, SemanticModel model, CancellationToken cancellation)
    {
        var queue = name.Parent switch
        {
            MemberAccessExpressionSyntax access when access.Name == name => access.Expression,
            MemberBindingExpressionSyntax { Parent.Parent: ConditionalAccessExpressionSyntax access } => access.Expression,
            _ => null,
        };
        return queue is not null && model.GetTypeInfo(queue, cancellation).Type is INamedTypeSymbol type && type.Is(Product, "MessageQueue");
    }

    private static (string Reason, string Instead)? ProducerProblem(ITypeSymbol type, Compilation compilation)
    {
        if (Implements(type, "IBufferedMessageSource`1") || (type is INamedTypeSymbol source && (SourceType.IsSource(source) || UnionType.IsUnion(source))))
        {
            return null;
        }

        if (IsView(type))
        {
            return ($"'{type.InMessage()}' is a view, which consumers read", "use the source of the view");
        }

        if (type is { IsUnmanagedType: true, IsRefLikeType: false })
        {
            return ($"'{type.InMessage()}' is an unmanaged value", $"use OpenValueProducer<{type.InMessage()}>");
        }

        return type is INamedTypeSymbol own && SourceType.CanBecomeSource(own, compilation)
            ? ($"'{type.InMessage()}' is not a message source", $"add [BufferedMessageSource] to it, or open {OpenProducer}(), which publishes bytes")
            : ($"'{type.InMessage()}' is not a message source", $"open {OpenProducer}(), which publishes bytes, or write a source that holds what you publish");
    }

    private static (string Reason, string Instead)? ConsumerProblem(ITypeSymbol type, string method, Compilation compilation)
    {
        if (IsView(type) || Implements(type, "IQueuePayload`1") || type.ContainingNamespace.IsNamed(Product))
        {
            return null;
        }

        if (type is INamedTypeSymbol source && (SourceType.IsSource(source) || UnionType.IsUnion(source)))
        {
            return ($"'{source.Name}' is for producers", $"use its view, {method}<{SourceType.ViewNameOf(source)}>");
        }

        if (type is { IsUnmanagedType: true, IsRefLikeType: false })
        {
            return ($"'{type.InMessage()}' is an unmanaged value", $"use {method}<ValueMessage<{type.InMessage()}>>");
        }

        return type is INamedTypeSymbol own && SourceType.CanBecomeSource(own, compilation)
            ? ($"'{type.InMessage()}' is not a view", $"add [BufferedMessageSource] to it and use its view, {method}<{GeneratedNames.ViewOf(type.Name)}>")
            : ($"'{type.InMessage()}' is not a view", $"use the view of a source, or {method}<RawMessage>, which returns the bytes");
    }

    private static bool IsView(ITypeSymbol type) => Implements(type, "IBufferedMessage`1");

    private static bool Implements(ITypeSymbol type, string name) => type.AllInterfaces.Any(implemented => implemented.OriginalDefinition.Is(Product, name));
}
