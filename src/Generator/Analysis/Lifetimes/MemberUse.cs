using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
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
    public bool IsKnown => LifetimeTypes.IsProduct(Member) || IsFramework;

    /// <summary>Gets whether the member can be used after the end: one that may close a closed holder again, or one of another type, such as <see cref="object"/> or a wrapper.</summary>
    public bool IsAlwaysAllowed => Member.Name is "Dispose" or "DisposeAsync" || !LifetimeTypes.IsProduct(Member);

    /// <summary>Gets whether the method may write to fields: a method of the compiled program, or an unknown one.</summary>
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
