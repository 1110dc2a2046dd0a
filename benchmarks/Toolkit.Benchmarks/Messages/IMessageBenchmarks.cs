namespace Toolkit.Benchmarks.Messages;

/// <summary>The operations on one message.</summary>
internal interface IMessageBenchmarks : IDisposable
{
    /// <summary>Makes the message and its peers.</summary>
    void Setup();

    /// <summary>Bytes of the serialized message, by library.</summary>
    IReadOnlyDictionary<string, int> Sizes();
}
