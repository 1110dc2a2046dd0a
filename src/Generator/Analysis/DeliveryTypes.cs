using BufferedMessages.Generator.Parsing;
using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Analysis;

/// <summary>The product's types that hold bytes until they are closed.</summary>
internal static class DeliveryTypes
{
    private const string ProductNamespace = "BufferedMessages";

    /// <summary>Whether the type is a claim: room in a queue that a producer holds.</summary>
    public static bool IsClaim(ITypeSymbol? type) => IsOneOf(type, "MessageClaim", "MessageClaim`1");

    /// <summary>Whether the type is a delivery: a message in a queue that a consumer holds.</summary>
    public static bool IsDelivery(ITypeSymbol? type) => IsOneOf(type, "Delivery`1");

    /// <summary>Whether the type is one of these, or an owner of a message's bytes.</summary>
    public static bool IsHolder(ITypeSymbol? type) => IsClaim(type) || IsDelivery(type) || IsOneOf(type, "PooledBufferedMessage`1");

    /// <summary>Whether a method closes what it is called on.</summary>
    public static bool IsClosing(IMethodSymbol method) => method.Name is "Commit" or "Dispose" && IsHolder(method.ContainingType);

    private static bool IsOneOf(ITypeSymbol? type, params string[] names) =>
        type is INamedTypeSymbol named && names.Any(name => named.OriginalDefinition.Is(ProductNamespace, name));
}
