using BufferedMessages.Generator.Model;

namespace BufferedMessages.Generator.Emission;

/// <summary>How collections that the reader made become the types of the source.</summary>
internal static class CollectionCode
{
    private const string Elements = RuntimeNames.Wire + "CopiedElements.";
    private const string Entries = RuntimeNames.Wire + "CopiedEntries.";

    /// <summary>The expression that turns an array into a list or a binary of the member's type.</summary>
    public static string FromArray(CollectionShape shape, string array) => shape switch
    {
        CollectionShape.Array or CollectionShape.ReadOnlyInterface => array,
        CollectionShape.Interface => $"{Elements}ToList({array})",

        // The others are named as the methods are.
        _ => $"{Elements}To{shape}({array})",
    };

    /// <summary>The expression that turns a <see cref="Dictionary{TKey, TValue}"/> into one of the member's type.</summary>
    public static string FromDictionary(DictionaryShape shape, string dictionary) => shape switch
    {
        DictionaryShape.Sorted => $"{Entries}ToSortedDictionary({dictionary})",
        DictionaryShape.Concurrent => $"{Entries}ToConcurrentDictionary({dictionary})",
        DictionaryShape.Immutable => $"{Entries}ToImmutableDictionary({dictionary})",
        DictionaryShape.ImmutableSorted => $"{Entries}ToImmutableSortedDictionary({dictionary})",
        DictionaryShape.Frozen => $"{Entries}ToFrozenDictionary({dictionary})",
        _ => dictionary,
    };

    /// <summary>The expression that turns a <see cref="HashSet{T}"/> into one of the member's type.</summary>
    public static string FromSet(SetShape shape, string set) => shape switch
    {
        SetShape.Sorted => $"{Entries}ToSortedSet({set})",
        SetShape.Immutable => $"{Entries}ToImmutableHashSet({set})",
        SetShape.Frozen => $"{Entries}ToFrozenSet({set})",
        _ => set,
    };
}
