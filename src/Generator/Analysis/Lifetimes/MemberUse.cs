using System.Collections.Immutable;
using BufferedMessages.Generator.Parsing;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;

namespace BufferedMessages.Generator.Analysis;

/// <summary>A use of a method, a property or a constructor.</summary>
/// <param name="Operation">The use.</param>
/// <param name="Member">The member.</param>
/// <param name="Instance">The receiver; null for static members and constructors.</param>
/// <param name="Arguments">The arguments.</param>
internal readonly record struct MemberUse(IOperation Operation, ISymbol Member, IOperation? Instance, ImmutableArray<IArgumentOperation> Arguments)
{
    /// <summary>Gets whether the member belongs to this product or to the framework, so that the holders of its result are known.</summary>
    public bool IsKnown => LifetimeTypes.IsProduct(Member) || Member.IsInSystem();

    /// <summary>Gets whether the member can be used after the end: one that may close a closed holder again, or one of another type, such as <see cref="object"/> or a wrapper.</summary>
    public bool IsAlwaysAllowed => Member.Name is "Dispose" or "DisposeAsync" || !LifetimeTypes.IsProduct(Member);

    /// <summary>Gets whether the member may return, so that the code after its use runs.</summary>
    public bool Returns => !Member.GetAttributes().Any(static attribute => attribute.AttributeClass is { Name: "DoesNotReturnAttribute" });

    /// <summary>Gets whether the member only reads fields: an automatic property, or a readonly member of a struct.</summary>
    public bool IsReadOnly => Member switch
    {
        IMethodSymbol method => method.IsReadOnly,
        IPropertySymbol property => property.GetMethod is { IsReadOnly: true } || IsStored(property),
        _ => false,
    };

    /// <summary>Gets whether the member may write to fields: one of the compiled program, or one that may call a delegate or run an iterator.</summary>
    public bool IsForeign =>
        Member is IMethodSymbol { MethodKind: MethodKind.DelegateInvoke } or { Name: "MoveNext", ContainingType.SpecialType: SpecialType.System_Collections_IEnumerator }
        || Arguments.Any(static argument => argument.Value.Type is { TypeKind: TypeKind.Delegate })
        || (!Member.ContainingType.IsRefLikeType && Member.Locations.Any(static location => location.IsInSource) && !(Member is IPropertySymbol property && IsStored(property)));

    /// <summary>Gets whether the member may assign its receiver: a member of an extension block that takes it with <c>ref</c>, or of a block in another assembly.</summary>
    public bool MayAssignReceiver =>
        Member.ContainingType is { TypeKind: TypeKind.Extension } block
        && (block.DeclaringSyntaxReferences.IsEmpty || (ReceiverHas(Member, SyntaxKind.RefKeyword) && !ReceiverHas(Member, SyntaxKind.ReadOnlyKeyword)));

    /// <summary>Determines whether a member of an extension block takes its receiver by reference, so that it may return a view of it.</summary>
    public static bool TakesReference(ISymbol member) =>
        (ReceiverHas(member, SyntaxKind.InKeyword) || ReceiverHas(member, SyntaxKind.RefKeyword)) && !TakesScoped(member);

    /// <summary>Determines whether a member of an extension block takes a scoped receiver, which it can neither return nor store.</summary>
    public static bool TakesScoped(ISymbol member) => ReceiverHas(member, SyntaxKind.ScopedKeyword);

    /// <summary>Determines whether a property is an automatic one, which returns its stored value. The compiler finds members by name without a walk over all of them.</summary>
    public static bool IsStored(IPropertySymbol property) =>
        !HasCode(property.PartialImplementationPart ?? property)
        && property.ContainingType.GetMembers($"<{property.Name}>k__BackingField").Any(member => member is IFieldSymbol field && SymbolEqualityComparer.Default.Equals(field.AssociatedSymbol, property));

    // An accessor with a body may use the stored value by the keyword 'field', and run other code.
    private static bool HasCode(IPropertySymbol property) => property.DeclaringSyntaxReferences.Any(static declaration =>
        declaration.GetSyntax() is PropertyDeclarationSyntax syntax
        && (syntax.ExpressionBody is not null || syntax.AccessorList?.Accessors.Any(static accessor => accessor.Body is not null || accessor.ExpressionBody is not null) == true));

    // The syntax of the block's parameter is the same in all versions of the compiler.
    private static bool ReceiverHas(ISymbol member, SyntaxKind modifier) =>
        member.ContainingType is { TypeKind: TypeKind.Extension } block
        && block.DeclaringSyntaxReferences.Any(declaration => declaration.GetSyntax() is TypeDeclarationSyntax { ParameterList.Parameters: [var receiver] } && receiver.Modifiers.Any(modifier));
}
