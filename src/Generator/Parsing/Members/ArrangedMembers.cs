using BufferedMessages.Generator.Model;
using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Parsing;

/// <summary>The members of a source in the order of their ordinals.</summary>
/// <param name="Members">The members that are stored.</param>
/// <param name="Reserved">The reserved ordinals between them.</param>
/// <param name="RemovedTypes">The types that the reserved ordinals name.</param>
/// <param name="HasUnknownTypes">Members are missing because their types, or a base, cannot be known yet.</param>
/// <param name="OrdinalError">The mistake in the ordinals; null if there is none.</param>
internal sealed record ArrangedMembers(
    IReadOnlyList<MemberCandidate> Members, IReadOnlyList<ReservedModel> Reserved, IReadOnlyList<ITypeSymbol> RemovedTypes, bool HasUnknownTypes, string? OrdinalError);
