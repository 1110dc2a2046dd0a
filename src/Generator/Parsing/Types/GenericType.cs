using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Parsing;

/// <summary>The explanation why generic types cannot be messages, and what to write instead.</summary>
internal static class GenericType
{
    private const string OneLayout = "but a message has only one layout";

    /// <summary>Explains the problem with a source and its remedy; null if neither the source nor a containing type is generic.</summary>
    public static string? Problem(INamedTypeSymbol source)
    {
        if (Container(source) is { } container)
        {
            return $"is nested in the generic type '{container.Name}', {OneLayout}; move it out of that type";
        }

        return source.IsGenericType
            ? $"is generic, {OneLayout}; {(CanDerive(source) ? $"remove the attribute and derive a source for each use, such as {Derived(source)}" : "write a type for each use")}"
            : null;
    }

    /// <summary>Explains the same for the type of a member, a constructed type.</summary>
    public static string? MemberProblem(INamedTypeSymbol type)
    {
        if (Container(type) is { } container)
        {
            return $"it is nested in the generic type '{container.Name}', {OneLayout}; move it out of that type";
        }

        return type.IsGenericType
            ? $"it is generic, {OneLayout}; {(CanDerive(type) ? $"derive a source from it, such as {Derived(type)}, and use that" : "write a type for this use, or a converter")}"
            : null;
    }

    private static INamedTypeSymbol? Container(INamedTypeSymbol type) => type.Containers().FirstOrDefault(static container => container.IsGenericType);

    private static bool CanDerive(INamedTypeSymbol type) => type is { TypeKind: TypeKind.Class, IsSealed: false, IsAbstract: false };

    private static string Derived(INamedTypeSymbol type)
    {
        var name = string.Concat(type.TypeArguments.Select(static (argument, index) => argument is ITypeParameterSymbol && index == 0 ? "Order" : NameOf(argument)));
        var arguments = string.Join(", ", type.TypeArguments.Select(static (argument, index) => argument is ITypeParameterSymbol
            ? index == 0 ? "Order" : "..."
            : argument.InMessage()));
        return $"'[BufferedMessageSource] partial {(type.IsRecord ? "record" : "class")} {name}{type.Name} : {type.Name}<{arguments}>'";
    }

    private static string NameOf(ITypeSymbol argument) => argument is INamedTypeSymbol { IsTupleType: false } named ? named.Name : "";
}
