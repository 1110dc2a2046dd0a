namespace BufferedMessages.Runtime.Tests.Messages;

/// <summary>The deepest message of the deepest kind: 64 messages in each other, each in 64 lists of one element.</summary>
internal static class DeepLists
{
    private const int Lists = 64;
    private const int Messages = 64;
    private const ulong SlotOfNextWord = (8UL << 32) | 1;
    private const ulong ListHeader = 1;

    public static MessageSchema Schema { get; } = MessageSchema.Parse(
        $"message Deep\n0 {string.Concat(Enumerable.Repeat("list(", Lists))}message(Deep){new string(')', Lists)} Rest\n");

    /// <summary>Creates the message: each slot leads to the word after it, which is the slot of the next list, or the header of a list of messages before its only block.</summary>
    public static byte[] Message()
    {
        IEnumerable<ulong> level = [.. Enumerable.Repeat(SlotOfNextWord, Lists), ListHeader];
        ulong[] words = [.. Enumerable.Repeat(level, Messages - 1).SelectMany(static words => words), 0];
        return [1, 0, 1, 0, .. BitConverter.GetBytes(sizeof(ulong) * (words.Length + 1)), .. words.SelectMany(BitConverter.GetBytes)];
    }
}
