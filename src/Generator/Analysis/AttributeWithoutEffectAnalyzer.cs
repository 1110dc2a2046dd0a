using BufferedMessages.Generator.Parsing;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace BufferedMessages.Generator.Analysis;

/// <summary>
/// An analyzer that reports attributes of this product without effect: on members that are never stored, an ordinal on an excluded member, excluded names that
/// no member has, and cases of a type that is not a union.
/// </summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class AttributeWithoutEffectAnalyzer() : ProductAnalyzer(Rules.AttributeWithoutEffect)
{
    private protected override void Register(AnalysisContext context)
    {
        context.RegisterSymbolAction(AnalyzeMember, SymbolKind.Property, SymbolKind.Field);
        context.RegisterSymbolAction(AnalyzeType, SymbolKind.NamedType);
    }

    private static void AnalyzeMember(SymbolAnalysisContext context)
    {
        var member = context.Symbol;
        var ordinal = member.ProductAttribute(MemberParser.MemberAttribute);
        var exclusion = member.ProductAttribute(MemberParser.IgnoreAttribute);
        if (!member.IsStorable())
        {
            var reason = $"'{member.Name}' is never stored, because only public instance properties and fields are";
            Report(context, ordinal, "[BufferedMember]", reason);
            Report(context, exclusion, "[BufferedIgnore]", reason);
        }
        else if (exclusion is not null)
        {
            Report(context, ordinal, "[BufferedMember]", $"'{member.Name}' is excluded with [BufferedIgnore]");
        }
    }

    private static void AnalyzeType(SymbolAnalysisContext context)
    {
        var type = (INamedTypeSymbol)context.Symbol;
        foreach (var found in UnionType.IsUnion(type) ? [] : type.ProductAttributes(UnionType.CaseAttribute))
        {
            Report(context, found, "[BufferedCase]", $"'{type.Name}' is not a union, because it has no [BufferedMessageUnion]");
        }

        if (type.ProductAttribute(SourceType.AttributeName) is not { } attribute)
        {
            return;
        }

        foreach (var name in MemberParser.ExcludedNames(type).Where(name => !type.DerivedFirst().Any(part => part.GetMembers(name).Any(SymbolExtensions.IsStorable))))
        {
            Report(context, attribute, $"The excluded name '{name}'", $"'{type.Name}' has no public property or field of that name");
        }
    }

    private static void Report(SymbolAnalysisContext context, AttributeData? attribute, string what, string reason)
    {
        if (attribute?.ApplicationSyntaxReference?.GetSyntax(context.CancellationToken) is { } place)
        {
            context.ReportDiagnostic(Diagnostic.Create(Rules.AttributeWithoutEffect, place.GetLocation(), what, reason));
        }
    }
}
