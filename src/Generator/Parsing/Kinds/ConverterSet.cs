using System.Runtime.CompilerServices;
using BufferedMessages.Generator.Model;
using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Parsing;

/// <summary>The converters that apply to a member: those of the member, then those of the assembly, then that of the type itself.</summary>
/// <param name="compilation">The project.</param>
/// <param name="member">The member with converters of its own; null if it has none.</param>
/// <param name="source">The source that generated code is part of; null if there is none.</param>
/// <param name="parseStored">Gets the kind of a type without converters.</param>
internal sealed class ConverterSet(Compilation compilation, ISymbol? member, INamedTypeSymbol? source, Func<ITypeSymbol, KindResult> parseStored)
{
    private static readonly ConditionalWeakTable<Compilation, IReadOnlyList<ConverterType>> Known = new();

    private readonly IReadOnlyList<ConverterType> _ofMember = member is null ? [] : ConverterType.Of(member, compilation);
    private readonly IReadOnlyList<ConverterType> _ofAssembly = Known.GetValue(compilation, static compilation => ConverterType.Of(compilation.Assembly, compilation));
    private readonly HashSet<ConverterType> _used = [];

    /// <summary>Gets the kind of a type by its converter, or the reason why that does not fit; null if the type has none.</summary>
    public KindResult? Find(ITypeSymbol type) => FindIn(_ofMember, type, "the member") ?? FindIn(_ofAssembly, type, "the assembly") ?? FindOfType(type);

    /// <summary>Gets the reason why a converter of the member itself was not used; null if all were.</summary>
    /// <param name="type">The type of the member.</param>
    public string? UnusedProblem(ITypeSymbol type) =>
        _ofMember.FirstOrDefault(converter => !_used.Contains(converter)) is { } unused
            ? unused.Problem ?? $"'{unused.Type.Name}' converts '{unused.User!.InMessage()}', which is not in the type '{type.InMessage()}'; name a converter that fits, or remove it"
            : null;

    /// <summary>Gets the converters of the assembly that do not fit, each with the reason.</summary>
    public IEnumerable<(AttributeData Attribute, string Reason)> ProblemsOfAssembly() =>
        from converter in _ofAssembly
        let result = converter.User is null ? KindResult.BadConverter(converter.Problem!) : FindIn(_ofAssembly, converter.User, "the assembly")!.Value
        where result.Reason is not null
        select (converter.Attribute, result.Reason);

    private static KindResult Twice(ConverterType first, ConverterType second, string level) =>
        KindResult.BadConverter($"'{first.Type.Name}' and '{second.Type.Name}' both convert '{first.User!.InMessage()}' for {level}; remove one of the two");

    private KindResult? FindIn(IReadOnlyList<ConverterType> converters, ITypeSymbol type, string level)
    {
        var fitting = converters.Where(converter => converter.Converts(type, compilation)).ToList();
        _used.UnionWith(fitting);
        return fitting switch
        {
            [] => default(KindResult?),
            [var only] => KindOf(only),
            [var first, var second, ..] => Twice(first, second, level),
        };
    }

    private KindResult? FindOfType(ITypeSymbol type) => (type is INamedTypeSymbol { SpecialType: SpecialType.None } ? ConverterType.Of(type, compilation) : []) switch
    {
        [] => ConverterType.IsMissing(type) ? KindResult.Silent : default(KindResult?),
        [var only] => only.Problem is null && !only.Converts(type, compilation)
            ? KindResult.BadConverter($"'{only.Type.Name}' converts '{only.User!.InMessage()}', but the attribute is on '{type.Name}'; name a converter that fits")
            : KindOf(only),
        [var first, var second, ..] => Twice(first, second, "the type"),
    };

    private KindResult KindOf(ConverterType converter)
    {
        if (converter is not { Problem: null, User: { } user, Wire: { } wire })
        {
            return KindResult.BadConverter(converter.Problem!);
        }

        if (!converter.Converts(wire, compilation) && HasConverter(wire))
        {
            return KindResult.BadConverter($"the wire type '{wire.InMessage()}' of '{converter.Type.Name}' has a converter itself; return the type that is stored in the end");
        }

        var stored = parseStored(wire);
        return stored switch
        {
            // The methods that call the converter are as accessible as the source.
            { Kind: ValueKind } when source?.IsHidden() == false && wire is INamedTypeSymbol value && !value.IsPublic() =>
                KindResult.BadConverter($"the wire type '{wire.InMessage()}' of '{converter.Type.Name}' is less accessible than '{source.Name}', whose generated code names it; make it public"),
            { Kind: ValueKind or StringKind or BinaryKind } => Converted(converter, user, stored.Kind),
            { Kind: null, Rule: null } => KindResult.Silent,
            _ => KindResult.BadConverter($"the wire type '{wire.InMessage()}' of '{converter.Type.Name}' is neither a value, a string nor bytes; return one of these"),
        };
    }

    private bool HasConverter(ITypeSymbol type) =>
        _ofMember.Concat(_ofAssembly).Any(converter => converter.Converts(type, compilation)) || (type is INamedTypeSymbol && type.ProductAttribute(ConverterType.AttributeName) is not null);

    // A reference can be null, whatever is stored.
    private static ConvertedKind Converted(ConverterType converter, ITypeSymbol user, MemberKind stored) => new(
        user.IsReferenceType ? KindParser.AsNullable(stored) : stored,
        user.GlobalName(),
        user.IsReferenceType ? MessageForm.Reference : MessageForm.Value,
        converter.Type.GlobalName(),
        converter.TakesBytes && stored is StringKind or BinaryKind);
}
