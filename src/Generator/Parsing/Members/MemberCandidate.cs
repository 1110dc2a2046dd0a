using BufferedMessages.Generator.Model;
using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Parsing;

/// <summary>A member that will be stored, before its ordinal is known.</summary>
/// <param name="Symbol">The property or field, of the most derived type that declares it.</param>
/// <param name="Type">Its type.</param>
/// <param name="Kind">Its kind.</param>
/// <param name="Ordinal">What <c>[BufferedMember]</c> says; null without it.</param>
internal sealed record MemberCandidate(ISymbol Symbol, ITypeSymbol Type, MemberKind Kind, int? Ordinal)
{
    /// <summary>Whether C# says that the member is never null, though its kind can be.</summary>
    public bool IsNeverNull =>
        Kind is not (ValueKind or NullableKind)
        && (Type.IsReferenceType
            ? Type.NullableAnnotation == NullableAnnotation.NotAnnotated
            : Type.OriginalDefinition.SpecialType != SpecialType.System_Nullable_T);

    /// <summary>Whether an object initializer must name it.</summary>
    public bool IsRequired => IsRequiredMember(Symbol);

    /// <inheritdoc cref="IsRequired"/>
    public static bool IsRequiredMember(ISymbol symbol) => symbol is IPropertySymbol { IsRequired: true } or IFieldSymbol { IsRequired: true };
}
