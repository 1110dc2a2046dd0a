using BufferedMessages.Generator.Model;

namespace BufferedMessages.Generator.Emission;

/// <summary>The conversions from the reader's collections to the types of the source.</summary>
internal static class CollectionCode
{
    /// <summary>Gets the expression that turns the reader's array, dictionary or set into the collection of the member's type.</summary>
    public static string Converted(MemberKind kind, string collection) => kind switch
    {
        // The reader's own types.
        BinaryKind { Shape: CollectionShape.Array }
            or ListKind { Shape: CollectionShape.Array or CollectionShape.ReadOnlyInterface }
            or DictionaryKind { IsCopied: false }
            or SetKind { IsCopied: false } => collection,
        DictionaryKind => Copy("ToDictionary", kind, collection),
        SetKind => Copy("ToSet", kind, collection),
        _ => Copy("ToList", kind, collection),
    };

    private static string Copy(string method, MemberKind kind, string collection) =>
        $"{RuntimeNames.Wire}CollectionCopy.{method}<{StorageTypes.Shaped(kind)}>({collection})";
}
