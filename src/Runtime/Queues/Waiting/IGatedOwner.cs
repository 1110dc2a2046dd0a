namespace BufferedMessages.Queues;

/// <summary>An object whose uses a <see cref="UseGate"/> counts.</summary>
internal interface IGatedOwner : IDisposable
{
    /// <summary>The name of the public object, for exceptions.</summary>
    string ObjectName { get; }

    /// <summary>Whether the owner is disposed: no further use begins, and the open one should end.</summary>
    bool IsDisposed { get; }

    /// <summary>The reason why the owner was closed, if its user did not close it.</summary>
    StaleQueueException? Loss { get; }

    /// <summary>Releases everything. Called once, when no use is open and none can begin.</summary>
    void Close();

    /// <summary>Ends a wait of the open use soon. May be called while that use ends, or after the owner was closed.</summary>
    void OnDisposedInUse();
}
