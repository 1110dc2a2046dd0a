namespace BufferedMessages.Sessions;

/// <summary>The producing end of a transport. An order is visible on the other side when <see cref="Send"/> returns.</summary>
internal interface IOrderOutlet : IDisposable
{
    void Send(IOrderFormat format, long number);
}

/// <summary>The consuming end of a transport.</summary>
internal interface IOrderInlet : IDisposable
{
    /// <summary>Waits for an order, and reads it where it lies.</summary>
    /// <returns>The order's number.</returns>
    long Receive(IOrderFormat format, bool hasAllFields);
}
