using BufferedMessages.Generator.Model;

namespace BufferedMessages.Generator.Emission;

/// <summary>The C# types around a converter.</summary>
internal static class ConvertedTypes
{
    /// <summary>Gets the user's type as a view returns it: a reference can be null.</summary>
    public static string UserOf(ConvertedKind converted) => converted.Form == MessageForm.Value ? converted.Type : converted.Type + "?";

    /// <summary>Gets the types that a converter converts between, its view and its adapter, as type arguments.</summary>
    public static string Arguments(ConvertedKind converted) => $"{SourceTypes.Of(converted)}, {SourceTypes.Of(converted.Wire)}, {ViewOf(converted)}, {converted.Adapter}";

    /// <summary>Gets the view of the value that is stored.</summary>
    public static string ViewOf(ConvertedKind converted) => converted.Wire switch
    {
        StringKind => RuntimeNames.Product + "BufferedString",
        BinaryKind => RuntimeNames.Product + "BufferedBinary",
        _ => SourceTypes.Of(converted.Wire),
    };

    /// <summary>Gets the call that reads a member from a block, or from the builder of one.</summary>
    public static string ReadCall(EmittedMember member, ConvertedKind converted)
    {
        var (type, place) = (SourceTypes.Of(converted), member.PlaceArguments);
        return converted.Wire switch
        {
            ValueKind value => $"ReadConvertedValue<{type}, {value.Type}, {converted.Adapter}>({place})",
            NullableKind nullable => $"ReadConvertedNullable<{type}, {nullable.Value.Type}, {converted.Adapter}>({place})",
            _ => $"ReadConverted<{type}, {ViewOf(converted)}, {converted.Adapter}>({place})",
        };
    }
}
