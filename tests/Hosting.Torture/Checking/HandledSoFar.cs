namespace BufferedMessages.Hosting.Torture;

/// <summary>Finds out, while workers run, whether every message was handled by all handlers or is a dead letter.</summary>
internal sealed class HandledSoFar(string directory, Journal journal, int messages)
{
    /// <summary>How many messages of all handlers are handled, or dead letters.</summary>
    public int Count()
    {
        var handled = HandlerNames.All.Select(_ => new bool[messages]).ToArray();
        foreach (var record in journal.Read())
        {
            if (record.Step == HandlerStep.Done)
            {
                handled[record.Handler][record.Number] = true;
            }
        }

        for (var handler = 0; handler < handled.Length; handler++)
        {
            foreach (var letter in Letter.Read(directory, handler))
            {
                handled[handler][letter.Number] = true;
            }
        }

        return handled.Sum(static one => one.Count(static isHandled => isHandled));
    }
}
