namespace BufferedMessages.Hosting.Torture;

/// <summary>A dead letter.</summary>
/// <param name="Number">The number of its message.</param>
/// <param name="Source">The id of its message.</param>
/// <param name="Attempts">How many attempts were made.</param>
/// <param name="IsThrown">Whether it has the type of an exception.</param>
internal sealed record Letter(long Number, MessageId? Source, int Attempts, bool IsThrown)
{
    /// <summary>Reads the dead letters of a handler, as any program can.</summary>
    public static IReadOnlyList<Letter> Read(string directory, int handler)
    {
        using var dead = DeadLetterQueue.Open(TortureDirectory.QueueOf(directory), HandlerNames.All[handler]);
        if (!MessageQueue.Exists(dead.Path))
        {
            return [];
        }

        using var queue = MessageQueue.OpenExisting(dead.Path);
        using var reader = queue.OpenReader<NumberedMessageBufferedMessage>();
        var letters = new List<Letter>();
        while (reader.TryRead(out var letter))
        {
            letters.Add(new Letter(letter.Message.Number, letter.Properties.Source, letter.Properties.Attempts, letter.Properties.TryGetHeader("exception", out _)));
        }

        return letters;
    }
}
