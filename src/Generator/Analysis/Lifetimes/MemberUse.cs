using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace BufferedMessages.Generator.Analysis;

/// <summary>A use of a method, a property or a constructor.</summary>
/// <param name="Operation">The use.</param>
/// <param name="Member">The member.</param>
/// <param name="Instance">What it is used on; null for static members and constructors.</param>
/// <param name="Arguments">The arguments.</param>
internal readonly record struct MemberUse(IOperation Operation, ISymbol Member, IOperation? Instance, ImmutableArray<IArgumentOperation> Arguments)
{
    /// <summary>The member belongs to this product or to the framework, so that it is known what its result depends on.</summary>
    public bool IsKnown => LifetimeTypes.IsProduct(Member) || IsFramework;

    /// <summary>The member is one that every value has, or ends a life that may have ended: both may be used at any time.</summary>
    public bool IsAlwaysAllowed => Member.Name is "Dispose" or "DisposeAsync" || Member.ContainingType?.SpecialType is SpecialType.System_Object or SpecialType.System_ValueType;

    /// <summary>A method of the program that is compiled, or one that is not known by name: it may write to fields.</summary>
    public bool IsForeign => Member is IMethodSymbol method
        && (method.MethodKind == MethodKind.DelegateInvoke || (!method.ContainingType.IsRefLikeType && method.Locations.Any(static location => location.IsInSource)));

    private bool IsFramework
    {
        get
        {
            var space = Member.ContainingNamespace;
            while (space is { ContainingNamespace.IsGlobalNamespace: false })
            {
                space = space.ContainingNamespace;
            }

            return space is { Name: "System" };
        }
    }
}
