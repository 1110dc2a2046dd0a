namespace BufferedMessages.Bridges.Torture;

/// <summary>The message of the torture: a number and bytes that follow from it.</summary>
[BufferedMessageSource]
public partial class NumberedMessage
{
    /// <summary>Gets or sets the number: each message has the next one.</summary>
    public long Number { get; set; }

    /// <summary>Gets or sets bytes that follow from the number.</summary>
    public byte[]? Bytes { get; set; }

    /// <summary>Makes the bytes of a number.</summary>
    internal static byte[] BytesOf(long number)
    {
        var bytes = new byte[number % 100];
        for (var i = 0; i < bytes.Length; i++)
        {
            bytes[i] = (byte)(number + (i * 7));
        }

        return bytes;
    }
}
