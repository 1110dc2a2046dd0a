using BufferedMessages.Generator.Model;

namespace BufferedMessages.Generator.Emission;

/// <summary>The conversions from the reader's collections to the types of the source.</summary>
internal static class CollectionCode
{
    private const string Elements = RuntimeNames.Wire + "CopiedElements.";
    private const string Entries = RuntimeNames.Wire + "CopiedEntries.";

    /// <summary>Gets the expression that turns an array into a list or a binary of the member's type.</summary>
    public static string FromArray(CollectionShape shape, string array) => shape switch
    {
        CollectionShape.Array or CollectionShape.ReadOnlyInterface => array,
        CollectionShape.Interface => $"{Elements}ToList({array})",

        // The methods for the other shapes have the names of the shapes.
        _ => $"{Elements}To{shape}({array})",
    };

    /// <summary>Gets the expression that turns a <see cref="Dictionary{TKey, TValue}"/> into one of the member's type.</summary>
    public static string FromDictionary(DictionaryShape shape, string dictionary) => shape switch
    {
        DictionaryShape.Sorted => $"{Entries}ToSortedDictionary({dictionary})",
        DictionaryShape.Concurrent => $"{Entries}ToConcurrentDictionary({dictionary})",
        DictionaryShape.Immutable => $"{Entries}ToImmutableDictionary({dictionary})",
        DictionaryShape.ImmutableSorted => $"{Entries}ToImmutableSortedDictionary({dictionary})",
        DictionaryShape.Frozen => $"{Entries}ToFrozenDictionary({dictionary})",
        _ => dictionary,
    };

    /// <summary>Gets the expression that turns a <see cref="HashSet{T}"/> into one of the member's type.</summary>
    public static string FromSet(SetShape shape, string set) => shape switch
    {
        SetShape.Sorted => $"{Entries}ToSortedSet({set})",
        SetShape.Immutable => $"{Entries}ToImmutableHashSet({set})",
        SetShape.Frozen => $"{Entries}ToFrozenSet({set})",
        _ => set,
    };
}
