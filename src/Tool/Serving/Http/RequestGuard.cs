using System.Globalization;
using Microsoft.AspNetCore.Connections.Features;
using Microsoft.AspNetCore.Http;

namespace BufferedMessages.Tool;

/// <summary>
/// Refuses requests that do not come from a page of this server: those of other users, to a name that another site lets point here, and of other sites. Every answer forbids the browser everything that the
/// page does not need, so a text that became a script would not run.
/// </summary>
/// <param name="port">The port of the server.</param>
internal sealed class RequestGuard(int port)
{
    /// <summary>The item of a connection that says whether it belongs to the user that serves.</summary>
    public const string OwnerItem = "BufferedMessages.IsOwners";

    private const int HttpPort = 80;

    private const string Policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

    private readonly string[] _hosts = [.. HostsOf(port)];

    /// <summary>Whether a request may be answered. Otherwise its answer is ready, except for its end.</summary>
    public bool Admits(HttpContext context)
    {
        var headers = context.Response.Headers;
        headers.ContentSecurityPolicy = Policy;
        headers.XContentTypeOptions = "nosniff";
        headers.CacheControl = "no-store";
        headers["Referrer-Policy"] = "no-referrer";
        headers["Cross-Origin-Opener-Policy"] = "same-origin";
        headers["Cross-Origin-Resource-Policy"] = "same-origin";
        var request = context.Request;
        if (request.Headers.Host is not [var host] || !_hosts.Contains(host, StringComparer.OrdinalIgnoreCase))
        {
            context.Response.StatusCode = StatusCodes.Status421MisdirectedRequest;
            return false;
        }

        if (context.Features.Get<IConnectionItemsFeature>()?.Items[OwnerItem] is not true)
        {
            context.Response.StatusCode = StatusCodes.Status403Forbidden;
            return false;
        }

        // Browsers say where a request comes from. A link from another site may only open the page.
        var isPage = request.Path.Value is "/" && HttpMethods.IsGet(request.Method);
        if (IsForeign(request) && !isPage)
        {
            context.Response.StatusCode = StatusCodes.Status403Forbidden;
            return false;
        }

        return true;
    }

    private bool IsForeign(HttpRequest request) =>
        request.Headers["Sec-Fetch-Site"] is [not ("same-origin" or "none")]
        || (request.Headers.Origin is [{ } origin] && !_hosts.Any(host => string.Equals(origin, "http://" + host, StringComparison.OrdinalIgnoreCase)));

    private static IEnumerable<string> HostsOf(int port)
    {
        string[] names = ["localhost", "127.0.0.1", "[::1]"];
        foreach (var name in names)
        {
            yield return string.Create(CultureInfo.InvariantCulture, $"{name}:{port}");
            if (port == HttpPort)
            {
                yield return name;
            }
        }
    }
}
