namespace BufferedMessages.Segments;

/// <summary>The preparation of a file ahead of need, step by step.</summary>
internal interface IFilePreparation
{
    /// <summary>Whether a thread already waits for the file.</summary>
    bool IsAwaited { get; }

    /// <summary>Ends the preparation between two steps if no participant wants the file any longer.</summary>
    /// <exception cref="OperationCanceledException">The preparation ends.</exception>
    void ThrowIfEnded();
}
