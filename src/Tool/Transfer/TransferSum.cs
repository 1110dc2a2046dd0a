namespace BufferedMessages.Tool;

/// <summary>The messages that were exported, imported or replayed.</summary>
internal sealed class TransferSum
{
    /// <summary>Gets the number of messages.</summary>
    public long Messages { get; private set; }

    /// <summary>Gets the bytes of their payloads.</summary>
    public long Bytes { get; private set; }

    /// <summary>Gets the position after which nothing was done yet, in the source.</summary>
    public long LastPosition { get; private set; } = -1;

    /// <summary>Counts a message.</summary>
    public void Add(long position, int bytes)
    {
        Messages++;
        Bytes += bytes;
        LastPosition = position;
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
        LastPosition < 0 ? $"No message was {verb}." : $"{Quantity.Count(Messages, "message")} {verb}, the last one is that of position {LastPosition} of the source.");
}
