using BufferedMessages.Generator.Model;

namespace BufferedMessages.Generator.Emission;

/// <summary>How values that may be null, and collections, are written in C#.</summary>
internal static class CollectionCode
{
    /// <summary>The pattern that a value must match to have a payload; null if it always has one, or if the runtime looks for null itself.</summary>
    public static string? PresencePattern(MemberKind kind) => kind switch
    {
        StringKind or MessageKind => null,
        BinaryKind binary => SpanPattern(binary.Shape),
        ListKind { Element: BinaryKind or ListKind } list => PresencePattern(list.Shape),
        ListKind list => SpanPattern(list.Shape),
        _ => "{ }",
    };

    /// <summary>Whether the code for a member declares locals, so that it needs a block of its own also without a condition.</summary>
    public static bool DeclaresLocals(MemberKind kind) => kind is ListKind { Element: BinaryKind or ListKind };

    /// <summary>The expression that turns the array which the reader made into the member's type.</summary>
    public static string FromArray(CollectionShape shape, string array) => shape switch
    {
        CollectionShape.List => $"{RuntimeNames.Copied}ToList({array})",
        CollectionShape.ImmutableArray => $"{RuntimeNames.Copied}ToImmutableArray({array})",
        CollectionShape.NullableImmutableArray => $"{RuntimeNames.Copied}ToNullableImmutableArray({array})",
        CollectionShape.Memory => $"{RuntimeNames.Copied}ToMemory({array})",
        CollectionShape.NullableMemory => $"{RuntimeNames.Copied}ToNullableMemory({array})",
        CollectionShape.ReadOnlyMemory => $"{RuntimeNames.Copied}ToReadOnlyMemory({array})",
        CollectionShape.NullableReadOnlyMemory => $"{RuntimeNames.Copied}ToNullableReadOnlyMemory({array})",
        _ => array,
    };

    // The span over a collection that is null says so.
    private static string? SpanPattern(CollectionShape shape) =>
        shape is CollectionShape.NullableImmutableArray or CollectionShape.NullableMemory or CollectionShape.NullableReadOnlyMemory
            ? PresencePattern(shape)
            : null;

    private static string? PresencePattern(CollectionShape shape) => shape switch
    {
        CollectionShape.Memory or CollectionShape.ReadOnlyMemory => null,
        CollectionShape.ImmutableArray or CollectionShape.NullableImmutableArray => "{ IsDefault: false }",
        _ => "{ }",
    };
}
