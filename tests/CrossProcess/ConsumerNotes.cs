namespace BufferedMessages.CrossProcess;

/// <summary>What a consumer that will be killed notes, and what its successor checks against it.</summary>
internal static class ConsumerNotes
{
    /// <summary>So many messages were delivered.</summary>
    public const int Delivered = 0;

    /// <summary>At least so many of them were committed.</summary>
    public const int Committed = 1;

    /// <summary>1 + the number of a message that came although it was committed, or in place of one that was lost.</summary>
    public const int Fault = 2;

    /// <summary>Checks that a message is the one that must come now.</summary>
    /// <param name="notes">The notes, those of dead predecessors included.</param>
    /// <param name="message">The message.</param>
    /// <param name="expected">The number that must come; -1 for the first message of this process.</param>
    public static void Deliver(Notes notes, ReadOnlySpan<byte> message, ref long expected)
    {
        var (_, number) = NumberedMessage.Read(message);
        var isRight = expected < 0
            ? number >= notes[Committed] && number <= notes[Delivered]
            : number == expected;
        if (!isRight)
        {
            notes[Fault] = number + 1;
        }

        expected = number + 1;
        notes[Delivered] = expected;
    }
}
