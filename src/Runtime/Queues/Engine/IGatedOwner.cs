namespace BufferedMessages.Queues;

/// <summary>An object whose uses a <see cref="UseGate"/> counts.</summary>
internal interface IGatedOwner
{
    /// <summary>The name of the public object, for exceptions.</summary>
    string ObjectName { get; }

    /// <summary>Releases everything. Called once, when no use is open and none can begin.</summary>
    void Close();

    /// <summary>Ends a wait of the open use soon. May be called while that use ends, or after the owner was closed.</summary>
    void OnDisposedInUse();
}
