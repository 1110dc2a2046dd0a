namespace BufferedMessages.Hosting.Torture;

/// <summary>A step of a handler with a message.</summary>
internal enum HandlerStep
{
    None,

    /// <summary>An attempt has begun.</summary>
    Begun,

    /// <summary>The work is done; the handler is about to return.</summary>
    Done,

    /// <summary>The message is about to kill the process.</summary>
    Kill,
}

/// <summary>A record of the journal.</summary>
/// <param name="Number">The number of the message.</param>
/// <param name="Life">The number of the process.</param>
/// <param name="Handler">The number of the handler.</param>
/// <param name="Step">The step.</param>
/// <param name="Attempt">The attempt, as the context says it.</param>
/// <param name="IsRedelivery">The flag, as the context says it.</param>
internal readonly record struct JournalRecord(long Number, int Life, int Handler, HandlerStep Step, int Attempt, bool IsRedelivery)
{
    /// <summary>All but the number, in a word that is not 0.</summary>
    public long Pack() => (uint)Life | ((long)Handler << 32) | ((long)Step << 40) | ((long)Math.Min(Attempt, byte.MaxValue) << 48) | (IsRedelivery ? 1L << 56 : 0);

    public static JournalRecord Unpack(long number, long word) =>
        new(number, (int)word, (int)(word >> 32) & 0xFF, (HandlerStep)((word >> 40) & 0xFF), (int)(word >> 48) & 0xFF, (word >> 56) != 0);
}
