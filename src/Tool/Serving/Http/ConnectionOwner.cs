using System.Globalization;
using System.Net;

namespace BufferedMessages.Tool;

/// <summary>
/// Finds out which user a connection over the loopback belongs to. The files of queues are their owner's alone, and every user of the machine can connect to the loopback: only the user that serves,
/// and root, may see the page. Linux lists its connections with their users; elsewhere nothing is known.
/// </summary>
internal static class ConnectionOwner
{
    private const uint Root = 0;
    private const int LocalField = 1;
    private const int RemoteField = 2;
    private const int StateField = 3;
    private const int UserField = 7;

    // A socket without a process has no user any more, and its state is another one.
    private const string Established = "01";
    private const string MappedPrefix = "0000000000000000FFFF0000";

    private static readonly string[] Tables = ["/proc/net/tcp", "/proc/net/tcp6"];
    private static readonly uint User = OperatingSystem.IsLinux() ? EffectiveUser() : Root;

    /// <summary>Whether the other end belongs to this user or to root.</summary>
    /// <param name="client">The address of the other end.</param>
    /// <param name="server">The address of this end.</param>
    /// <returns>True where the system does not say.</returns>
    public static bool MaySee(IPEndPoint client, IPEndPoint server) => !OperatingSystem.IsLinux() || (UserOf(client, server) is { } user && (user == User || user == Root));

    private static uint? UserOf(IPEndPoint client, IPEndPoint server)
    {
        var (local, remote) = (FormsOf(client), FormsOf(server));
        foreach (var table in Tables.Where(File.Exists))
        {
            foreach (var line in File.ReadLines(table))
            {
                var fields = line.Split(' ', StringSplitOptions.RemoveEmptyEntries);
                if (fields.Length > UserField && fields[StateField] is Established && local.Contains(fields[LocalField], StringComparer.Ordinal) && remote.Contains(fields[RemoteField], StringComparer.Ordinal))
                {
                    return uint.Parse(fields[UserField], NumberStyles.None, CultureInfo.InvariantCulture);
                }
            }
        }

        return null;
    }

    // An address of version 4 is also one of version 6, if the other end has a socket for both.
    private static string[] FormsOf(IPEndPoint end)
    {
        var address = end.Address.IsIPv4MappedToIPv6 ? end.Address.MapToIPv4() : end.Address;
        var bytes = address.GetAddressBytes();
        var words = string.Concat(Enumerable.Range(0, bytes.Length / sizeof(uint)).Select(word => BitConverter.ToUInt32(bytes, word * sizeof(uint)).ToString("X8", CultureInfo.InvariantCulture)));
        var port = end.Port.ToString("X4", CultureInfo.InvariantCulture);
        return bytes.Length == sizeof(uint) ? [$"{words}:{port}", $"{MappedPrefix}{words}:{port}"] : [$"{words}:{port}"];
    }

    // "Uid:" and the real, the effective, the saved user.
    private static uint EffectiveUser() =>
        uint.Parse(File.ReadLines("/proc/self/status").First(static line => line.StartsWith("Uid:", StringComparison.Ordinal)).Split('\t')[2], NumberStyles.None, CultureInfo.InvariantCulture);
}
