using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BufferedMessages.Generator.Parsing;

/// <summary>A walk over the declarations of a file, past bodies and initializers, that collects their names.</summary>
internal sealed class OutlineWalker : CSharpSyntaxWalker
{
    private readonly StringBuilder _frame = new();
    private readonly HashSet<string> _declared = new(StringComparer.Ordinal);
    private readonly HashSet<string> _mentioned = new(StringComparer.Ordinal);
    private readonly HashSet<string> _passed = new(StringComparer.Ordinal);
    private readonly HashSet<string> _bases = new(StringComparer.Ordinal);
    private readonly HashSet<string> _global = new(StringComparer.Ordinal);
    private bool _isPassed;
    private bool _isBase;
    private bool _isGlobal;
    private bool _isConstant;

    /// <inheritdoc cref="FileOutline.Frame"/>
    public string Frame => _frame.ToString();

    /// <inheritdoc cref="FileOutline.Declared"/>
    public IReadOnlyCollection<string> Declared => _declared;

    /// <inheritdoc cref="FileOutline.Mentioned"/>
    public IReadOnlyCollection<string> Mentioned => _mentioned;

    /// <inheritdoc cref="FileOutline.Passed"/>
    public IReadOnlyCollection<string> Passed => _passed;

    /// <inheritdoc cref="FileOutline.Bases"/>
    public IReadOnlyCollection<string> Bases => _bases;

    /// <inheritdoc cref="FileOutline.Global"/>
    public IReadOnlyCollection<string> Global => _global;

    public override void VisitCompilationUnit(CompilationUnitSyntax node)
    {
        AddFrame(node.Externs, node.Usings, node.AttributeLists);
        base.VisitCompilationUnit(node);
    }

    public override void VisitUsingDirective(UsingDirectiveSyntax node)
    {
        _isGlobal = node.GlobalKeyword.IsKind(SyntaxKind.GlobalKeyword);
        if (_isGlobal && node.Alias is { Name.Identifier.ValueText: var alias })
        {
            _declared.Add(alias);
        }

        // The target of an alias matters wherever the alias does: as a base, and to those that mention a type of this file. The constants of a static using do too.
        if (node.Alias is not null || node.StaticKeyword.IsKind(SyntaxKind.StaticKeyword))
        {
            VisitBase(node, base.VisitUsingDirective);
        }
        else
        {
            base.VisitUsingDirective(node);
        }

        _isGlobal = false;
    }

    public override void VisitNamespaceDeclaration(NamespaceDeclarationSyntax node)
    {
        AddNamespace(node);
        base.VisitNamespaceDeclaration(node);
        _frame.Append('}');
    }

    public override void VisitFileScopedNamespaceDeclaration(FileScopedNamespaceDeclarationSyntax node)
    {
        AddNamespace(node);
        base.VisitFileScopedNamespaceDeclaration(node);
    }

    public override void VisitClassDeclaration(ClassDeclarationSyntax node) => VisitType(node, base.VisitClassDeclaration);

    public override void VisitInterfaceDeclaration(InterfaceDeclarationSyntax node) => VisitType(node, base.VisitInterfaceDeclaration);

    public override void VisitRecordDeclaration(RecordDeclarationSyntax node) => VisitType(node, base.VisitRecordDeclaration);

    public override void VisitStructDeclaration(StructDeclarationSyntax node) => VisitType(node, base.VisitStructDeclaration);

    public override void VisitEnumDeclaration(EnumDeclarationSyntax node)
    {
        _declared.Add(node.Identifier.ValueText);
        AddFrame(node.AttributeLists, node.Modifiers, node.EnumKeyword, node.Identifier, node.BaseList);
        VisitPassed(node, base.VisitEnumDeclaration);
    }

    public override void VisitEnumMemberDeclaration(EnumMemberDeclarationSyntax node)
    {
        _isConstant = true;
        base.VisitEnumMemberDeclaration(node);
        _isConstant = false;
    }

    public override void VisitDelegateDeclaration(DelegateDeclarationSyntax node)
    {
        _declared.Add(node.Identifier.ValueText);
        AddFrame(node);
    }

    public override void VisitFieldDeclaration(FieldDeclarationSyntax node)
    {
        VisitDocumentation(node);
        if (!node.Modifiers.Any(SyntaxKind.ConstKeyword))
        {
            base.VisitFieldDeclaration(node);
            return;
        }

        _isConstant = true;
        VisitPassed(node, base.VisitFieldDeclaration);
        _isConstant = false;
    }

    public override void VisitPropertyDeclaration(PropertyDeclarationSyntax node)
    {
        VisitDocumentation(node);
        base.VisitPropertyDeclaration(node);
    }

    // A converter's methods determine the kind of the members that it converts.
    public override void VisitMethodDeclaration(MethodDeclarationSyntax node)
    {
        if (node.Identifier.ValueText is ConverterType.ToWire or ConverterType.FromWire)
        {
            VisitPassed(node, base.VisitMethodDeclaration);
        }
        else
        {
            base.VisitMethodDeclaration(node);
        }
    }

    public override void VisitBaseList(BaseListSyntax node) => VisitBase(node, base.VisitBaseList);

    // The attributes of a type determine its generated names, which must differ from those of all types around it.
    public override void VisitAttributeArgument(AttributeArgumentSyntax node)
    {
        _isGlobal = node.Parent?.Parent?.Parent?.Parent is BaseTypeDeclarationSyntax or CompilationUnitSyntax;
        base.VisitAttributeArgument(node);
        _isGlobal = false;
    }

    public override void VisitIdentifierName(IdentifierNameSyntax node) => Mention(node.Identifier.ValueText);

    public override void VisitGenericName(GenericNameSyntax node)
    {
        Mention(node.Identifier.ValueText);
        base.VisitGenericName(node);
    }

    // A value is part of a model only if it is a constant.
    public override void VisitEqualsValueClause(EqualsValueClauseSyntax node)
    {
        if (_isConstant)
        {
            base.VisitEqualsValueClause(node);
        }
    }

    public override void VisitBlock(BlockSyntax node)
    {
    }

    public override void VisitArrowExpressionClause(ArrowExpressionClauseSyntax node)
    {
    }

    public override void VisitGlobalStatement(GlobalStatementSyntax node)
    {
    }

    private void VisitType<T>(T node, Action<T> visit)
        where T : TypeDeclarationSyntax
    {
        VisitDocumentation(node);
        _declared.Add(node.Identifier.ValueText);
        AddFrame(node.AttributeLists, node.Modifiers, node.Keyword, node.Identifier, node.TypeParameterList, node.BaseList, node.ConstraintClauses);
        if (node is RecordDeclarationSyntax { ClassOrStructKeyword: var kind })
        {
            AddFrame(kind);
        }

        // A type in it has other parts of it around, and its bases.
        if (node.Members.Any(static member => member is BaseTypeDeclarationSyntax))
        {
            _passed.Add(node.Identifier.ValueText);
            _mentioned.Add(node.Identifier.ValueText);
        }

        _frame.Append('{');
        if (node is StructDeclarationSyntax or RecordDeclarationSyntax { RawKind: (int)SyntaxKind.RecordStructDeclaration })
        {
            VisitPassed(node, visit);
        }
        else
        {
            visit(node);
        }

        _frame.Append('}');
    }

    private void VisitBase<T>(T node, Action<T> visit)
    {
        _isBase = true;
        VisitPassed(node, visit);
        _isBase = false;
    }

    private void VisitPassed<T>(T node, Action<T> visit)
    {
        var before = _isPassed;
        _isPassed = true;
        visit(node);
        _isPassed = before;
    }

    // The view's copy of the documentation has the full names of what it refers to.
    private void VisitDocumentation(MemberDeclarationSyntax node)
    {
        foreach (var trivia in node.HasStructuredTrivia ? node.GetLeadingTrivia() : default)
        {
            if (trivia.GetStructure() is DocumentationCommentTriviaSyntax documentation)
            {
                Visit(documentation);
            }
        }
    }

    private void AddNamespace(BaseNamespaceDeclarationSyntax node)
    {
        AddFrame(node.Name, node.Externs, node.Usings);
        _frame.Append('{');
    }

    private void AddFrame(params object?[] parts)
    {
        foreach (var part in parts)
        {
            _frame.Append(part).Append('\n');
        }
    }

    private void Mention(string name)
    {
        _mentioned.Add(name);
        if (_isPassed)
        {
            _passed.Add(name);
        }

        if (_isBase)
        {
            _bases.Add(name);
        }

        if (_isGlobal)
        {
            _global.Add(name);
        }
    }
}
