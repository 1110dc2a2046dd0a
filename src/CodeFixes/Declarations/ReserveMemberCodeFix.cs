using System.Collections.Immutable;
using System.Composition;
using BufferedMessages.Generator.Analysis;
using BufferedMessages.Generator.Parsing;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BufferedMessages.CodeFixes;

/// <summary>
/// A fix that reserves the ordinal of a removed member, or the number of a removed case. The layout file does not name enums and structs, so a person must reserve those.
/// </summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class ReserveMemberCodeFix() : SyntaxCodeFix("Reserve the number with [BufferedReserved]", Rules.MemberRemoved.Id)
{
    // Each attribute is inserted before the previous ones, so the last ordinal comes first.
    private protected override IEnumerable<SyntaxEdit> Edits(ImmutableArray<DiagnosedNode> places, CancellationToken cancellation) =>
        from place in places
        let ordinal = place.Diagnostic.Properties[DiagnosticProperty.Ordinal]
        orderby int.Parse(ordinal, System.Globalization.CultureInfo.InvariantCulture) descending
        let arguments = Arguments(ordinal, place.Diagnostic.Properties[DiagnosticProperty.Kind], place.Model.Compilation)
        where arguments is not null && place.Node is TypeDeclarationSyntax
        select place.Node.WithProductAttribute(place.Model, "BufferedReserved", arguments);

    // The number of a case is reserved without a type.
    private static string? Arguments(string ordinal, string? kind, Compilation compilation) =>
        kind is null ? $"({ordinal})"
        : WireKindType.Of(kind, compilation) is { } type ? $"({ordinal}, typeof({type}))"
        : null;
}
