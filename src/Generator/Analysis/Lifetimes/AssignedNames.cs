using System.Collections.Concurrent;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BufferedMessages.Generator.Analysis;

/// <summary>The names that the members of the program assign. Only their syntax is read, so a name may be that of another variable.</summary>
internal sealed class AssignedNames
{
    private readonly ConcurrentDictionary<ISymbol, Dictionary<string, ValueSet>> _names = new(SymbolEqualityComparer.Default);

    /// <summary>Gets the names that a member assigns, itself or by other members of its type that it uses. The values are those of the only bool that it assigns, or none.</summary>
    public Dictionary<string, ValueSet> Of(ISymbol member) => _names.GetOrAdd(member.OriginalDefinition, Find);

    private static Dictionary<string, ValueSet> Find(ISymbol member)
    {
        var names = new Dictionary<string, ValueSet>(StringComparer.Ordinal);
        var seen = new HashSet<ISymbol>(SymbolEqualityComparer.Default) { member };
        var pending = new Queue<ISymbol>(seen);
        while (pending.Count != 0)
        {
            foreach (var part in PartsOf(pending.Dequeue()))
            {
                foreach (var name in TargetsOf(part).Select(NameOf).OfType<string>())
                {
                    var values = ValuesOf(part);
                    names[name] = names.TryGetValue(name, out var others) && others != values ? ValueSet.None : values;
                    Follow(name);
                }

                if (part is InvocationExpressionSyntax { Expression: SimpleNameSyntax or MemberAccessExpressionSyntax { Expression: ThisExpressionSyntax } } call && NameOf(call.Expression) is { } called)
                {
                    Follow(called);
                }
            }
        }

        return names;

        void Follow(string name)
        {
            foreach (var used in member.ContainingType.GetMembers(name))
            {
                if (used is IMethodSymbol or IPropertySymbol && seen.Add(used))
                {
                    pending.Enqueue(used);
                }
            }
        }
    }

    private static IEnumerable<SyntaxNode> PartsOf(ISymbol member) =>
        ((member as IMethodSymbol)?.PartialImplementationPart ?? member).DeclaringSyntaxReferences.SelectMany(static declaration => declaration.GetSyntax().DescendantNodes());

    private static IEnumerable<ExpressionSyntax> TargetsOf(SyntaxNode part) => part switch
    {
        AssignmentExpressionSyntax { Parent: InitializerExpressionSyntax } => [],
        AssignmentExpressionSyntax { Left: TupleExpressionSyntax targets } => targets.Arguments.Select(static target => target.Expression),
        AssignmentExpressionSyntax assignment => [assignment.Left],
        PrefixUnaryExpressionSyntax change when change.Kind() is SyntaxKind.PreIncrementExpression or SyntaxKind.PreDecrementExpression => [change.Operand],
        PostfixUnaryExpressionSyntax change when change.Kind() is SyntaxKind.PostIncrementExpression or SyntaxKind.PostDecrementExpression => [change.Operand],
        ArgumentSyntax argument when argument.RefKindKeyword.Kind() is SyntaxKind.OutKeyword or SyntaxKind.RefKeyword => [argument.Expression],
        RefExpressionSyntax reference => [reference.Expression],
        _ => [],
    };

    private static ValueSet ValuesOf(SyntaxNode part) => (part as AssignmentExpressionSyntax)?.Right.Kind() switch
    {
        SyntaxKind.TrueLiteralExpression when part.IsKind(SyntaxKind.SimpleAssignmentExpression) => ValueSet.True,
        SyntaxKind.FalseLiteralExpression when part.IsKind(SyntaxKind.SimpleAssignmentExpression) => ValueSet.False,
        _ => ValueSet.None,
    };

    private static string? NameOf(ExpressionSyntax expression) => expression switch
    {
        SimpleNameSyntax name => name.Identifier.ValueText,
        MemberAccessExpressionSyntax access => access.Name.Identifier.ValueText,
        MemberBindingExpressionSyntax binding => binding.Name.Identifier.ValueText,
        _ => null,
    };
}
