namespace BufferedMessages.Sessions;

/// <summary>The formats, by the number that orders to peers name them with.</summary>
internal static class OrderFormat
{
    public static string[] Names { get; } = ["BufferedMessages", "SystemTextJson", "Protobuf"];

    public static IOrderFormat Create(long number) => number switch
    {
        0 => new MessageFormat(),
        1 => new JsonFormat(),
        2 => new ProtobufFormat(),
        _ => throw new ArgumentOutOfRangeException(nameof(number), number, "There is no such format."),
    };
}
