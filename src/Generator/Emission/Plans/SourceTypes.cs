using BufferedMessages.Generator.Model;

namespace BufferedMessages.Generator.Emission;

/// <summary>The C# types of kinds, as the source declares them.</summary>
internal static class SourceTypes
{
    /// <summary>Gets the type of an array of a kind. The brackets of an element that is an array itself follow those of the array around it.</summary>
    public static string ArrayOf(MemberKind element)
    {
        var type = Of(element);
        var ranks = type.Length;
        while (ranks > 0 && type[ranks - 1] == ']')
        {
            ranks = type.LastIndexOf('[', ranks - 1);
        }

        return type.Insert(ranks, "[]");
    }

    /// <summary>Gets the type of a kind, without the question mark of a nullable reference.</summary>
    public static string Of(MemberKind kind) => kind switch
    {
        ValueKind value => value.Type,
        NullableKind nullable => nullable.Value.Type + "?",
        StringKind => "string",
        BinaryKind binary => binary.Type,
        MessageKind { Form: MessageForm.NullableValue } message => message.Type + "?",
        ReferenceKind reference => reference.Type,
        ListKind list => list.Type,
        DictionaryKind dictionary => dictionary.Type,
        SetKind set => set.Type,
        ConvertedKind { Form: MessageForm.NullableValue } converted => converted.Type + "?",
        ConvertedKind converted => converted.Type,
        _ => throw new ArgumentOutOfRangeException(nameof(kind), kind, message: null),
    };
}
