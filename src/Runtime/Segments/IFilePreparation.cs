namespace BufferedMessages.Segments;

/// <summary>The preparation of a file ahead of need, step by step.</summary>
internal interface IFilePreparation
{
    /// <summary>Whether a thread waits for the file by now.</summary>
    bool IsAwaited { get; }

    /// <summary>Ends the preparation between two steps if no participant wants the file any more.</summary>
    /// <exception cref="OperationCanceledException">It ends.</exception>
    void ThrowIfEnded();
}
