using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Parsing;

/// <summary>A class that an attribute names as a converter, and what its methods convert.</summary>
/// <param name="Attribute">The attribute.</param>
/// <param name="Type">The class.</param>
/// <param name="User">The type that it converts; null if its methods do not determine it.</param>
/// <param name="Wire">The type that is stored; null if <paramref name="User"/> is.</param>
/// <param name="TakesBytes">Whether it can convert a span of bytes, so that a view need not allocate.</param>
/// <param name="Problem">The reason why it cannot be used, and the remedy; null if there is none.</param>
internal sealed record ConverterType(AttributeData Attribute, INamedTypeSymbol Type, ITypeSymbol? User, ITypeSymbol? Wire, bool TakesBytes, string? Problem)
{
    public const string AttributeName = "BufferedMessageConverterAttribute";
    public const string ToWire = "ToWire";
    public const string FromWire = "FromWire";

    /// <summary>Gets the converters that the attributes of a member, a type or an assembly name, in their order.</summary>
    public static IReadOnlyList<ConverterType> Of(ISymbol symbol, Compilation compilation) =>
    [
        .. from attribute in symbol.ProductAttributes(AttributeName)
           where attribute.ConstructorArguments is [{ Value: INamedTypeSymbol { TypeKind: not TypeKind.Error } }]
           select Read(attribute, (INamedTypeSymbol)attribute.ConstructorArguments[0].Value!, compilation),
    ];

    /// <summary>Determines whether an attribute in source, on a member or a type, names a converter that does not exist. The compiler reports the name.</summary>
    public static bool IsMissing(ISymbol symbol) => symbol.ProductAttributes(AttributeName).Any(static attribute =>
        attribute.ApplicationSyntaxReference is not null
        && attribute.ConstructorArguments is [{ Kind: TypedConstantKind.Error }] or [{ Kind: TypedConstantKind.Type, Value: ITypeSymbol { TypeKind: TypeKind.Error } }]);

    /// <summary>Determines whether it converts a type. Annotations of references and names of tuple items do not matter.</summary>
    public bool Converts(ITypeSymbol type, Compilation compilation) => User is not null && compilation.IsSame(User, type);

    private static ConverterType Read(AttributeData attribute, INamedTypeSymbol type, Compilation compilation)
    {
        if (type.IsUnboundGenericType)
        {
            return Unfit($"'{type.Name}' is generic; name it with its type arguments");
        }

        if (type.IsFileLocal || !compilation.IsSymbolAccessibleWithin(type, compilation.Assembly))
        {
            return Unfit($"'{type.Name}' is not accessible to generated code; make it {(type.DeclaringSyntaxReferences.IsEmpty ? "public" : "at least internal")}");
        }

        var writing = Methods(type, ToWire, compilation);
        if (writing is not [var toWire])
        {
            return Unfit(writing.Count == 0
                ? $"'{type.Name}' has no method 'static TWire ToWire(T value)' that is at least internal; add it, with the type of the member as T and a value, a string or bytes as TWire"
                : $"'{type.Name}' has several methods 'ToWire'; keep one, and write a converter for each type");
        }

        var (user, wire) = (toWire.Parameters[0].Type, toWire.ReturnType);
        if (IsNullable(user) || IsNullable(wire))
        {
            return Unfit($"'{type.Name}' has a 'T?' in its methods, but a null is stored without the converter; remove the question mark");
        }

        var reading = Methods(type, FromWire, compilation).Where(method => compilation.IsSame(method.ReturnType, user)).Select(static method => method.Parameters[0].Type).ToList();
        var problem = reading.Exists(taken => SymbolEqualityComparer.Default.Equals(taken, wire))
            ? null
            : $"'{type.Name}' has no method 'static {user.InMessage()} FromWire({wire.InMessage()} value)' that is at least internal; add it";
        return new ConverterType(attribute, type, user, wire, reading.Exists(IsSpanOfBytes), problem);

        ConverterType Unfit(string reason) => new(attribute, type, User: null, Wire: null, TakesBytes: false, reason);
    }

    private static List<IMethodSymbol> Methods(INamedTypeSymbol type, string name, Compilation compilation) =>
    [
        .. type.GetMembers(name).OfType<IMethodSymbol>().Where(method =>
            method is { IsStatic: true, Arity: 0, ReturnsVoid: false, ReturnsByRef: false, ReturnsByRefReadonly: false, Parameters: [{ RefKind: RefKind.None }] }
            && compilation.IsSymbolAccessibleWithin(method, compilation.Assembly)),
    ];

    private static bool IsNullable(ITypeSymbol type) => type.OriginalDefinition.SpecialType == SpecialType.System_Nullable_T;

    private static bool IsSpanOfBytes(ITypeSymbol type) =>
        type is INamedTypeSymbol { TypeArguments: [{ SpecialType: SpecialType.System_Byte }] } span && span.Is("System", "ReadOnlySpan`1");
}
