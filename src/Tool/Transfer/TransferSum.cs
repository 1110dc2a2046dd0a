namespace BufferedMessages.Tool;

/// <summary>The messages that were exported, imported or replayed.</summary>
internal sealed class TransferSum
{
    /// <summary>Gets the number of messages.</summary>
    public long Messages { get; private set; }

    /// <summary>Gets the bytes of their payloads.</summary>
    public long Bytes { get; private set; }

    /// <summary>Gets the place after the last message in the source, as <c>--from</c> takes it.</summary>
    public long Next { get; private set; }

    /// <summary>Counts a message.</summary>
    /// <param name="next">The place after it, as <c>--from</c> takes it.</param>
    /// <param name="bytes">The bytes of its payload.</param>
    public void Add(long next, int bytes)
    {
        Messages++;
        Bytes += bytes;
        Next = next;
    }

    /// <summary>Writes the sum.</summary>
    /// <param name="call">The command.</param>
    /// <param name="verb">The participle of the work: "exported".</param>
    public void Write(Call call, string verb)
    {
        if (call.IsJson)
        {
            call.Json.Write(this, static (json, sum) =>
            {
                json.WriteStartObject();
                json.WriteNumber("messages"u8, sum.Messages);
                json.WriteNumber("payloadBytes"u8, sum.Bytes);
                json.WriteEndObject();
            });
        }
        else
        {
            call.WriteLine($"{Quantity.Count(Messages, "message")} {verb}, {Quantity.Bytes(Bytes)}");
        }
    }

    /// <summary>Says where to go on, on the standard error.</summary>
    public void WriteInterrupted(Call call, string verb) => call.Remark(
        Messages == 0 ? $"No message was {verb}." : $"{Quantity.Count(Messages, "message")} {verb}. --from {Next} goes on after the last one.");
}
