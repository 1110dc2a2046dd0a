using BufferedMessages.Generator.Model;

namespace BufferedMessages.Generator.Emission;

/// <summary>The C# types of kinds, as the source has them.</summary>
internal static class SourceTypes
{
    private const string System = "global::System.";
    private const string Generic = System + "Collections.Generic.";
    private const string Immutable = System + "Collections.Immutable.";
    private const string Frozen = System + "Collections.Frozen.";

    /// <summary>The type of a kind, without the question mark of a reference that may be null.</summary>
    public static string Of(MemberKind kind) => kind switch
    {
        ValueKind value => value.Type,
        NullableKind nullable => nullable.Value.Type + "?",
        StringKind => "string",
        BinaryKind binary => Of(binary.Shape, "byte"),
        MessageKind { Form: MessageForm.NullableValue } message => message.Type + "?",
        MessageKind message => message.Type,
        ListKind { Interface: { } type } => type,
        ListKind list => Of(list.Shape, Of(list.Element)),
        DictionaryKind dictionary => Of(dictionary.Shape, $"{Of(dictionary.Key)}, {Of(dictionary.Value)}"),
        SetKind set => Of(set.Shape, Of(set.Element)),
        _ => throw new ArgumentOutOfRangeException(nameof(kind), kind, message: null),
    };

    private static string Of(CollectionShape shape, string element) => shape switch
    {
        CollectionShape.Array => element + "[]",
        CollectionShape.List => $"{Generic}List<{element}>",
        CollectionShape.ImmutableArray => $"{Immutable}ImmutableArray<{element}>",
        CollectionShape.NullableImmutableArray => $"{Immutable}ImmutableArray<{element}>?",
        CollectionShape.Memory => $"{System}Memory<{element}>",
        CollectionShape.NullableMemory => $"{System}Memory<{element}>?",
        CollectionShape.ReadOnlyMemory => $"{System}ReadOnlyMemory<{element}>",
        CollectionShape.NullableReadOnlyMemory => $"{System}ReadOnlyMemory<{element}>?",
        _ => throw new ArgumentOutOfRangeException(nameof(shape), shape, message: null),
    };

    private static string Of(DictionaryShape shape, string arguments) => shape switch
    {
        DictionaryShape.Dictionary => $"{Generic}Dictionary<{arguments}>",
        DictionaryShape.Interface => $"{Generic}IDictionary<{arguments}>",
        DictionaryShape.ReadOnlyInterface => $"{Generic}IReadOnlyDictionary<{arguments}>",
        DictionaryShape.Sorted => $"{Generic}SortedDictionary<{arguments}>",
        DictionaryShape.Concurrent => $"{System}Collections.Concurrent.ConcurrentDictionary<{arguments}>",
        DictionaryShape.Immutable => $"{Immutable}ImmutableDictionary<{arguments}>",
        DictionaryShape.ImmutableSorted => $"{Immutable}ImmutableSortedDictionary<{arguments}>",
        DictionaryShape.Frozen => $"{Frozen}FrozenDictionary<{arguments}>",
        _ => throw new ArgumentOutOfRangeException(nameof(shape), shape, message: null),
    };

    private static string Of(SetShape shape, string element) => shape switch
    {
        SetShape.Hash => $"{Generic}HashSet<{element}>",
        SetShape.Interface => $"{Generic}ISet<{element}>",
        SetShape.ReadOnlyInterface => $"{Generic}IReadOnlySet<{element}>",
        SetShape.Sorted => $"{Generic}SortedSet<{element}>",
        SetShape.Immutable => $"{Immutable}ImmutableHashSet<{element}>",
        SetShape.Frozen => $"{Frozen}FrozenSet<{element}>",
        _ => throw new ArgumentOutOfRangeException(nameof(shape), shape, message: null),
    };
}
