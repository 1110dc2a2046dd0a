using System.Globalization;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

namespace BufferedMessages.CodeFixes;

/// <summary>An async method or local function, split into reads of its views and an async local function with its body.</summary>
internal sealed class SplitFunction
{
    private readonly SyntaxNode _function;
    private readonly SyntaxNode _body;
    private readonly SemanticModel _model;
    private readonly HashSet<string> _taken;
    private readonly string _lineEnd;
    private readonly string _indentation;
    private readonly string _step;

    private SplitFunction(SyntaxNode function, SyntaxNode body, SemanticModel model)
    {
        _function = function;
        _body = body;
        _model = model;
        _taken = FreeNames.TakenAt(model, body.SpanStart, function);
        var text = function.SyntaxTree.GetText();
        var line = text.Lines.GetLineFromPosition(function.SpanStart).ToString();
        _lineEnd = DeclarationEdits.LineEndOf(text);
        _indentation = line.Substring(0, line.Length - line.TrimStart().Length);
        _step = _indentation.EndsWith("\t", StringComparison.Ordinal) ? "\t" : "    ";
    }

    /// <summary>Splits a function; null if it cannot be split in a way that compiles.</summary>
    public static SyntaxNode? Of(SyntaxNode function, SemanticModel model, CancellationToken cancellation)
    {
        SyntaxNode? body = function switch
        {
            MethodDeclarationSyntax method => (SyntaxNode?)method.Body ?? method.ExpressionBody?.Expression,
            LocalFunctionStatementSyntax local => (SyntaxNode?)local.Body ?? local.ExpressionBody?.Expression,
            _ => null,
        };
        if (body is null
            || model.GetDeclaredSymbol(function, cancellation) is not IMethodSymbol { ReturnType: { Name: "Task" or "ValueTask", ContainingNamespace.Name: "Tasks" } } symbol
            || symbol.Parameters.Any(static parameter => parameter.RefKind != RefKind.None))
        {
            return null;
        }

        var views = symbol.Parameters.Where(static parameter => parameter.Type.IsRefLikeType).ToList();
        if (model.AnalyzeDataFlow(body) is not { Succeeded: true } flow || flow.WrittenInside.Any(written => views.Contains(written, SymbolEqualityComparer.Default)))
        {
            return null;
        }

        // Reading single members is cheaper than a copy of the whole message.
        var split = new SplitFunction(function, body, model);
        return split.With(views, view => HoistedRead.Of(view, body, model) ?? Copy(view), cancellation)
            ?? split.With(views, Copy, cancellation);

        IReadOnlyList<HoistedRead>? Copy(IParameterSymbol view) => HoistedRead.CopyOf(view, model, body.SpanStart) is { } copy ? [copy] : null;
    }

    private SyntaxNode? With(IReadOnlyList<IParameterSymbol> views, Func<IParameterSymbol, IReadOnlyList<HoistedRead>?> readsOf, CancellationToken cancellation)
    {
        var reads = views.Select(readsOf).ToList();
        if (reads.Contains(null))
        {
            return null;
        }

        var split = Write([.. reads.SelectMany(static read => read!)]);
        return Compiles(split, cancellation) ? split : null;
    }

    private SyntaxNode Write(IReadOnlyList<HoistedRead> reads)
    {
        var taken = new HashSet<string>(_taken, StringComparer.Ordinal);
        var locals = reads.Select(read => (Read: read, Name: taken.TakeName(read.Uses.Count == 0 ? "copy" : read.Stem))).ToList();
        var function = taken.TakeName("ContinueAsync");

        // A copy has the name of the view in the local function, so that the body stays as it is.
        var names = locals.SelectMany(static local => local.Read.Uses.Select(use => (use, local.Name))).ToDictionary(static use => (SyntaxNode)use.use, static use => use.Name);
        var body = Indented(_body.ReplaceNodes(names.Keys, (use, _) => SyntaxFactory.IdentifierName(names[use]).WithTriviaFrom(use)));
        var parameters = string.Join(", ", locals.Select(static local => $"{local.Read.Type} {(local.Read.Uses.Count == 0 ? local.Read.Stem : local.Name)}"));
        var inner = _indentation + _step;
        var header = HeaderWithoutAsync();
        var lines = locals.Select(local => $"{inner}var {local.Name} = {local.Read.Value};").Concat(
        [
            $"{inner}return {function}({string.Join(", ", locals.Select(static local => local.Name))});",
            "",
            $"{inner}async {ReturnTypeText} {function}({parameters}){Separator(inner)}{body}",
        ]);
        var text = $"{header}{Separator(_indentation, isBlock: true)}{{{_lineEnd}{string.Join(_lineEnd, lines)}{_lineEnd}{_indentation}}}";
        var options = _function.SyntaxTree.Options;
        SyntaxNode split = _function is MethodDeclarationSyntax
            ? SyntaxFactory.ParseMemberDeclaration(text, options: options)!
            : SyntaxFactory.ParseStatement(text, options: options);
        return split.WithTriviaFrom(_function);
    }

    private string ReturnTypeText => (_function is MethodDeclarationSyntax method ? method.ReturnType : ((LocalFunctionStatementSyntax)_function).ReturnType).WithoutTrivia().ToString();

    private string Separator(string indentation, bool isBlock = false) =>
        _body is not BlockSyntax ? isBlock ? _lineEnd + indentation : " => "
        : _body.BeginsLine() ? _lineEnd + indentation
        : " ";

    private string HeaderWithoutAsync()
    {
        var modifiers = _function is MethodDeclarationSyntax method ? method.Modifiers : ((LocalFunctionStatementSyntax)_function).Modifiers;
        var asyncToken = modifiers.First(static modifier => modifier.IsKind(SyntaxKind.AsyncKeyword));
        var arrowOrBlock = _body is BlockSyntax ? _body.SpanStart : _body.Parent!.SpanStart;
        var text = _function.SyntaxTree.GetText();
        return text.ToString(TextSpan.FromBounds(_function.SpanStart, asyncToken.SpanStart)) + text.ToString(TextSpan.FromBounds(asyncToken.Span.End, arrowOrBlock)).Trim();
    }

    // Lines in a string stay as they are.
    private string Indented(SyntaxNode body)
    {
        var isBlock = body is BlockSyntax;
        var bare = isBlock ? body.WithoutTrivia() : body.WithoutLeadingTrivia();
        var lines = SourceText.From(bare.ToFullString()).Lines;
        var indented = lines.Select((line, number) => (number == 0 || line.Span.IsEmpty || IsInString(bare, line.Start) ? "" : _step) + line);
        return string.Join(_lineEnd, indented) + (isBlock ? "" : ";");
    }

    // A text between two braces of an interpolated string may begin with the line.
    private static bool IsInString(SyntaxNode body, int position)
    {
        var token = body.FindToken(position);
        return IsInside(token.Span) || token.Parent!.AncestorsAndSelf().Any(node => node is InterpolatedStringExpressionSyntax && IsInside(node.Span));

        bool IsInside(TextSpan span) => span.Start < position && position < span.End;
    }

    private bool Compiles(SyntaxNode split, CancellationToken cancellation)
    {
        var tree = _function.SyntaxTree;
        var mark = new SyntaxAnnotation();
        var root = tree.GetRoot(cancellation).ReplaceNode(_function, split.WithAdditionalAnnotations(mark));
        var changed = tree.WithRootAndOptions(root, tree.Options);
        var model = _model.Compilation.ReplaceSyntaxTree(tree, changed).GetSemanticModel(changed);
        var known = Errors(_model, _function.Span, cancellation);
        return Errors(model, changed.GetRoot(cancellation).GetAnnotatedNodes(mark).Single().Span, cancellation).All(known.Contains);
    }

    private static HashSet<string> Errors(SemanticModel model, TextSpan span, CancellationToken cancellation) => new(
        model.GetDiagnostics(span, cancellation)
            .Where(static problem => problem.Severity == DiagnosticSeverity.Error)
            .Select(static problem => problem.Id + problem.GetMessage(CultureInfo.InvariantCulture)),
        StringComparer.Ordinal);
}
