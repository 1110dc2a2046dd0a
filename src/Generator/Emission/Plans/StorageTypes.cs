using BufferedMessages.Generator.Model;

namespace BufferedMessages.Generator.Emission;

/// <summary>The runtime types that define the storage of kinds, composed as the kinds are.</summary>
/// <param name="padding">The type with the padding of the innermost element, a struct; empty if it has none.</param>
internal sealed class StorageTypes(string padding)
{
    /// <summary>Gets the type arguments of the runtime's methods for a list.</summary>
    public string ListArguments(ListKind list) => $"{SourceTypes.Of(list.Element)}, {Elements(list.Element)}";

    /// <summary>Gets the type arguments of the runtime's methods for a dictionary.</summary>
    public string DictionaryArguments(DictionaryKind dictionary) =>
        $"{SourceTypes.Of(dictionary.Key)}, {SourceTypes.Of(dictionary.Value)}, {Keys(dictionary.Key)}, {Elements(dictionary.Value)}";

    /// <summary>Gets the type arguments of the runtime's methods for a set.</summary>
    public static string SetArguments(SetKind set) => $"{SourceTypes.Of(set.Element)}, {Keys(set.Element)}";

    /// <summary>Gets the collection's type, its element types, and the type that converts between them.</summary>
    public static string Shaped(MemberKind kind) => kind switch
    {
        BinaryKind binary => Shaped(binary.Type, "ListShape", "byte"),
        ListKind list => Shaped(list.Type, "ListShape", SourceTypes.Of(list.Element)),
        DictionaryKind dictionary => Shaped(dictionary.Type, "DictionaryShape", $"{SourceTypes.Of(dictionary.Key)}, {SourceTypes.Of(dictionary.Value)}"),
        SetKind set => Shaped(set.Type, "SetShape", SourceTypes.Of(set.Element)),
        _ => throw new ArgumentOutOfRangeException(nameof(kind), kind, message: null),
    };

    /// <summary>Gets the type that stores a string or bytes that a converter makes.</summary>
    public string ConvertedSlot(ConvertedKind converted) => RuntimeNames.Wire + $"ConvertedSlot<{ConvertedTypes.Arguments(converted)}, {Slot(converted.Wire)}>";

    private static string Keys(MemberKind kind) => RuntimeNames.Wire + kind switch
    {
        ValueKind value => $"ValueKeys<{value.Type}>",
        ConvertedKind converted => $"ConvertedKeys<{ConvertedTypes.Arguments(converted)}, {Keys(converted.Wire)}>",
        _ => "TextKeys",
    };

    private string Elements(MemberKind kind) => RuntimeNames.Wire + kind switch
    {
        ValueKind value when padding.Length != 0 => $"PaddedElements<{value.Type}, {padding}>",
        ValueKind value => $"ValueElements<{value.Type}>",
        NullableKind nullable when padding.Length != 0 => $"PaddedNullableElements<{nullable.Value.Type}, {padding}>",
        NullableKind nullable => $"NullableElements<{nullable.Value.Type}>",
        ConvertedKind { Wire: ValueKind or NullableKind } converted => $"ConvertedElements<{SourceTypes.Of(kind)}, {SourceTypes.Of(converted.Wire)}, {converted.Adapter}, {Elements(converted.Wire)}>",
        ConvertedKind converted => $"SlotElements<{SourceTypes.Of(kind)}, {ConvertedSlot(converted)}>",
        MessageKind message => $"MessageElements<{RuntimeNames.SourceAndBlockOf(message)}>",
        _ => $"SlotElements<{SourceTypes.Of(kind)}, {Slot(kind)}>",
    };

    private string Slot(MemberKind kind) => RuntimeNames.Wire + kind switch
    {
        StringKind => "TextSlot",
        UnionKind union => $"UnionSlot<{RuntimeNames.SourceAndBlockOf(union.Type)}>",
        BinaryKind => $"BinarySlot<{SourceTypes.Of(kind)}, {RuntimeNames.Wire}ListShape<byte>>",
        ListKind list => $"ListSlot<{Shaped(kind)}, {Elements(list.Element)}>",
        DictionaryKind dictionary => $"DictionarySlot<{Shaped(kind)}, {Keys(dictionary.Key)}, {Elements(dictionary.Value)}>",
        SetKind set => $"SetSlot<{Shaped(kind)}, {Keys(set.Element)}>",
        _ => throw new ArgumentOutOfRangeException(nameof(kind), kind, message: null),
    };

    private static string Shaped(string type, string shape, string arguments) => $"{type}, {arguments}, {RuntimeNames.Wire}{shape}<{arguments}>";
}
