using System.Net.Sockets;
using System.Reflection;
using System.Runtime.InteropServices;

namespace BufferedMessages.Peers;

/// <summary>A pipe or a socket of the system. Each message is one write, since it is to be visible at once; a read takes all that is there.</summary>
internal sealed partial class StreamPeer(bool isPipe) : IQueuePeer
{
    // Read and write for the owner.
    private const uint PipeMode = 0x180;

    public string Name => isPipe ? "pipe" : "Unix socket";

    public Assembly Library => typeof(Socket).Assembly;

    public void Create(string directory)
    {
        if (isPipe && MakePipe(directory, PipeMode) != 0)
        {
            throw new IOException($"There is no pipe '{directory}': error {Marshal.GetLastPInvokeError()}.");
        }
    }

    public IQueueWriter OpenWriter(string directory) =>
        new Writer(isPipe ? new FileStream(directory, FileMode.Open, FileAccess.Write, FileShare.ReadWrite, bufferSize: 0) : Connect(directory));

    public IQueueReader OpenReader(string directory) =>
        new Reader(isPipe ? new FileStream(directory, FileMode.Open, FileAccess.Read, FileShare.ReadWrite, bufferSize: 0) : Accept(directory));

    // The other end comes when its process has started.
    private static NetworkStream Connect(string path)
    {
        while (true)
        {
            var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
            try
            {
                socket.Connect(new UnixDomainSocketEndPoint(path));
                return new NetworkStream(socket, ownsSocket: true);
            }
            catch (SocketException)
            {
                socket.Dispose();
                RunnerCommand.Stopping.ThrowIfCancellationRequested();
                Thread.Sleep(1);
            }
        }
    }

    private static NetworkStream Accept(string path)
    {
        using var listener = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        listener.Bind(new UnixDomainSocketEndPoint(path));
        listener.Listen(1);
        return new NetworkStream(listener.Accept(), ownsSocket: true);
    }

    [LibraryImport("libc", EntryPoint = "mkfifo", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int MakePipe(string path, uint mode);

    private sealed class Writer(Stream stream) : IQueueWriter
    {
        public void Send(ReadOnlySpan<byte> message) => stream.Write(message);

        public void Dispose() => stream.Dispose();
    }

    private sealed class Reader(Stream stream) : IQueueReader
    {
        private readonly byte[] _buffer = new byte[64 * 1024];
        private int _start;
        private int _end;

        public long Receive()
        {
            if (_start == _end)
            {
                (_start, _end) = (0, 0);
            }

            // The buffer holds whole messages, so a part of one never reaches its end.
            while (_end - _start < QueueMeasurement.MessageBytes)
            {
                var read = stream.Read(_buffer, _end, _buffer.Length - _end);
                _end += read != 0 ? read : throw new EndOfStreamException("The other process has closed its end.");
            }

            var number = MemoryMarshal.Read<long>(_buffer.AsSpan(_start));
            _start += QueueMeasurement.MessageBytes;
            return number;
        }

        public void Dispose() => stream.Dispose();
    }
}
