using System.Reflection;
using BufferedMessages.CacheBenchmarks;

namespace BufferedMessages.Peers;

/// <summary>A library that is measured beside others.</summary>
internal interface IPeer
{
    string Name { get; }

    /// <summary>The assembly whose version the results state.</summary>
    Assembly Library { get; }
}

/// <summary>Writes and reads the container of 30 entries.</summary>
internal interface IMessagePeer : IPeer
{
    /// <summary>Writes it to a buffer that is used again.</summary>
    /// <returns>The bytes.</returns>
    int Write();

    /// <summary>Reads all of its members.</summary>
    /// <returns>Their sum, as ContainerBenchmarks calculates it.</returns>
    long Read();
}

/// <summary>Passes messages of <see cref="QueueMeasurement.MessageBytes"/> between two processes.</summary>
internal interface IQueuePeer : IPeer
{
    /// <summary>Whether both ends must be in one process.</summary>
    bool IsWithinProcess => false;

    /// <summary>Prepares the place where the two ends meet.</summary>
    void Create(string directory)
    {
    }

    IQueueWriter OpenWriter(string directory);

    IQueueReader OpenReader(string directory);
}

/// <summary>The end that sends.</summary>
internal interface IQueueWriter : IDisposable
{
    /// <summary>Waits until there is room.</summary>
    void Send(ReadOnlySpan<byte> message);
}

/// <summary>The end that receives.</summary>
internal interface IQueueReader : IDisposable
{
    /// <summary>Waits for a message.</summary>
    /// <returns>The number in its first bytes.</returns>
    long Receive();
}

/// <summary>A cache.</summary>
internal interface ICachePeer : IPeer
{
    ICacheContender Open(CacheSetting setting);
}
