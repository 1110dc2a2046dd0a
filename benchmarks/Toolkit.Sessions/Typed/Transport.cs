using System.Globalization;
using System.Net.Sockets;
using System.Runtime.InteropServices;

namespace BufferedMessages.Sessions;

/// <summary>The ways between the two processes, by the number that orders to peers name them with.</summary>
internal static partial class Transport
{
    public const long Queue = 0;
    public const long Pipe = 1;
    public const long Socket = 2;

    // Read and write for the owner.
    private const uint PipeMode = 0x180;

    public static string[] Names { get; } = ["queue", "pipe", "Unix socket"];

    /// <summary>Prepares the place where the two meet. The session does it, before it asks the peers.</summary>
    public static void Create(long transport, SessionOptions options, long round)
    {
        if (transport == Queue)
        {
            SessionDirectory.CreateQueue(options, round);
        }
        else if (transport == Pipe && MakePipe(PathOf(options, round), PipeMode) != 0)
        {
            throw new IOException($"There is no pipe '{PathOf(options, round)}': error {Marshal.GetLastPInvokeError()}.");
        }
    }

    /// <summary>Opens the producing end; waits for the other one, unless it is a queue.</summary>
    public static IOrderOutlet OpenOutlet(long transport, SessionOptions options, long round) => transport switch
    {
        Queue => new QueueOutlet(MessageQueue.Open(SessionDirectory.QueueOf(options, round))),
        Pipe => new StreamOutlet(new FileStream(PathOf(options, round), FileMode.Open, FileAccess.Write, FileShare.ReadWrite, bufferSize: 0)),
        _ => new StreamOutlet(Connect(PathOf(options, round))),
    };

    /// <summary>Opens the consuming end, and says when it is there; then waits for the other one, unless it is a queue.</summary>
    public static IOrderInlet OpenInlet(long transport, SessionOptions options, long round, Action ready)
    {
        if (transport == Socket)
        {
            return new StreamInlet(Accept(PathOf(options, round), ready));
        }

        IOrderInlet? inlet = transport == Queue ? new QueueInlet(MessageQueue.Open(SessionDirectory.QueueOf(options, round))) : null;
        ready();
        return inlet ?? new StreamInlet(new FileStream(PathOf(options, round), FileMode.Open, FileAccess.Read, FileShare.ReadWrite, bufferSize: 0));
    }

    public static void Delete(long transport, SessionOptions options, long round)
    {
        if (transport == Queue)
        {
            SessionDirectory.DeleteQueue(options, round);
        }
        else
        {
            File.Delete(PathOf(options, round));
        }
    }

    // Short: a socket's path has room for some hundred characters.
    private static string PathOf(SessionOptions options, long round) => Path.Combine(options.Directory, "t" + round.ToString(CultureInfo.InvariantCulture));

    private static NetworkStream Connect(string path)
    {
        var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        socket.Connect(new UnixDomainSocketEndPoint(path));
        return new NetworkStream(socket, ownsSocket: true);
    }

    private static NetworkStream Accept(string path, Action ready)
    {
        using var listener = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        listener.Bind(new UnixDomainSocketEndPoint(path));
        listener.Listen(1);
        ready();
        return new NetworkStream(listener.Accept(), ownsSocket: true);
    }

    [LibraryImport("libc", EntryPoint = "mkfifo", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int MakePipe(string path, uint mode);
}
