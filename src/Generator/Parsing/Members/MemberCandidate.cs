using BufferedMessages.Generator.Model;
using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Parsing;

/// <summary>A member that will be stored, before its ordinal is known.</summary>
/// <param name="Symbol">The property or field, of the most derived type that declares it.</param>
/// <param name="Type">Its type.</param>
/// <param name="Kind">Its kind.</param>
/// <param name="Ordinal">The ordinal that <c>[BufferedMember]</c> sets; null without the attribute.</param>
internal sealed record MemberCandidate(ISymbol Symbol, ITypeSymbol Type, MemberKind Kind, int? Ordinal)
{
    /// <summary>Gets whether the member is declared as never null, though its kind can be null.</summary>
    public bool IsNeverNull =>
        Kind is not (ValueKind or NullableKind or ConvertedKind { Form: not MessageForm.Reference })
        && (Type.IsReferenceType
            ? Type.NullableAnnotation == NullableAnnotation.NotAnnotated
            : Type.OriginalDefinition.SpecialType != SpecialType.System_Nullable_T);

    /// <summary>Gets whether the member is required: an object initializer must set it.</summary>
    public bool IsRequired => IsRequiredMember(Symbol);

    /// <inheritdoc cref="IsRequired"/>
    public static bool IsRequiredMember(ISymbol symbol) => symbol is IPropertySymbol { IsRequired: true } or IFieldSymbol { IsRequired: true };
}
