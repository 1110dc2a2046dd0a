using System.Net;
using System.Net.Sockets;

namespace BufferedMessages.Tool;

/// <summary>The sockets of one port on both loopback addresses. They are bound before the server starts, so that no other program has the port on one of them.</summary>
internal sealed class LoopbackSockets : IDisposable
{
    /// <summary>The port without <c>--port</c>.</summary>
    public const int DefaultPort = 5757;

    private const int Attempts = 20;

    private readonly Dictionary<IPAddress, Socket> _sockets = [];

    private LoopbackSockets(int port)
    {
        try
        {
            _sockets[IPAddress.Loopback] = BoundTo(IPAddress.Loopback, port);
            Port = ((IPEndPoint)_sockets[IPAddress.Loopback].LocalEndPoint!).Port;
            if (Socket.OSSupportsIPv6 && HasLoopbackV6())
            {
                _sockets[IPAddress.IPv6Loopback] = BoundTo(IPAddress.IPv6Loopback, Port);
            }
        }
        catch
        {
            Dispose();
            throw;
        }
    }

    /// <summary>Gets the port.</summary>
    public int Port { get; }

    /// <summary>Gets the addresses.</summary>
    public IEnumerable<IPEndPoint> Addresses => _sockets.Keys.Select(address => new IPEndPoint(address, Port));

    /// <summary>Takes a port.</summary>
    /// <param name="port">The port; 0 for one that is free, null for the default or one after it.</param>
    /// <exception cref="ToolException">The port is taken.</exception>
    public static LoopbackSockets Bind(int? port)
    {
        // A free port of one address may be taken on the other.
        var candidates = port is > 0 ? [port.Value] : port is 0 ? Enumerable.Repeat(0, Attempts) : Enumerable.Range(DefaultPort, Attempts);
        foreach (var candidate in candidates)
        {
            try
            {
                return new LoopbackSockets(candidate);
            }
            catch (SocketException exception) when (exception.SocketErrorCode is SocketError.AddressAlreadyInUse or SocketError.AccessDenied)
            {
                // The next one may be free.
            }
        }

        throw new ToolException(port is > 0
            ? $"The port {port} is taken, or may not be used. Give another one, or 0 for one that is free."
            : $"The ports from {DefaultPort} to {DefaultPort + Attempts - 1} are taken. Give one with --port, or 0 for one that is free.");
    }

    /// <summary>Gets the socket of an address.</summary>
    public Socket Of(EndPoint address) => _sockets[((IPEndPoint)address).Address];

    public void Dispose()
    {
        foreach (var socket in _sockets.Values)
        {
            socket.Dispose();
        }
    }

    private static Socket BoundTo(IPAddress address, int port)
    {
        var socket = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            if (address.AddressFamily == AddressFamily.InterNetworkV6)
            {
                socket.DualMode = false;
            }

            socket.Bind(new IPEndPoint(address, port));
            return socket;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    private static bool HasLoopbackV6()
    {
        try
        {
            BoundTo(IPAddress.IPv6Loopback, port: 0).Dispose();
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }
}
