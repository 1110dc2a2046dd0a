namespace BufferedMessages.Sessions;

/// <summary>A library that turns the order into bytes, and reads it.</summary>
internal interface IOrderFormat : IDisposable
{
    /// <summary>Numbers the order, and says how many bytes it takes now.</summary>
    int Prepare(long number);

    /// <summary>Writes what was prepared to a destination of just that size.</summary>
    void Write(Span<byte> destination);

    /// <summary>Reads an order.</summary>
    /// <param name="message">The bytes.</param>
    /// <param name="hasAllFields">Touch all members, of strings the last character or byte; else the number only.</param>
    /// <returns>The order's number.</returns>
    long Read(ReadOnlySpan<byte> message, bool hasAllFields);

    // Most have nothing to give back.
    void IDisposable.Dispose()
    {
    }
}
