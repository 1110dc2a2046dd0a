using System.Text.RegularExpressions;

namespace BufferedMessages.CrossProcess.Writes;

/// <summary>
/// The machine code of a write, as the runtime lists it. Code that the runtime shares between classes finds out at run time which methods of its type
/// arguments it calls: by a look-up in a table, and by a call of the address that is found there. No code that runs for each element of a message does that.
/// </summary>
public sealed partial class SharedCodeTests
{
    private const string Header = "; Assembly listing for method ";

    // Copying the entries of a dictionary needs its type once for each dictionary.
    private static readonly string[] OncePerDictionary = ["FewEntries", "PutInOrder"];

    [Fact]
    public void Writing_an_element_looks_up_no_method()
    {
        var methods = Listing("*Add* *Append* *Write* *Of*");

        var written = methods.Where(static method => IsOfTheMessage(method.Name)).ToList();
        Assert.Contains(written, static method => method.Name.Contains("Parcel+BufferedBlock:Write(", StringComparison.Ordinal));
        Assert.Contains(written, static method => method.Name.Contains("Shipment+BufferedBlock:Write(", StringComparison.Ordinal));
        Assert.Equal("", string.Join('\n', written.Where(static method => LookUp().IsMatch(method.Code)).Select(static method => method.Name)));
    }

    [Fact]
    public void A_look_up_is_seen_in_a_listing()
    {
        var methods = Listing("*Make*", nameof(WriteParts.WriteShared));

        Assert.Contains(methods, static method => LookUp().IsMatch(method.Code));
    }

    private static bool IsOfTheMessage(string name) =>
        (name.Contains("BufferedMessages.Wire.", StringComparison.Ordinal) || name.Contains("BufferedBlock:", StringComparison.Ordinal))
        && !Array.Exists(OncePerDictionary, part => name.Contains(part, StringComparison.Ordinal));

    // The listing is whole when the process is gone.
    private static List<(string Name, string Code)> Listing(string methods, string part = nameof(WriteParts.WriteOnce))
    {
        var path = Path.GetTempFileName();
        try
        {
            var environment = new Dictionary<string, string>(StringComparer.Ordinal)
            {
                // All code is optimized when it runs first, so that one write lists all of it.
                ["DOTNET_TieredCompilation"] = "0",
                ["DOTNET_JitDisasm"] = methods,
                ["DOTNET_JitStdOutFile"] = path,
            };
            using (var peer = Peer.StartIn(environment, part))
            {
                Assert.Equal("written", peer.Hear());
                Assert.Null(peer.Hear());
            }

            return [.. File.ReadAllText(path).Split(Header).Skip(1).Select(static method => (method[..method.IndexOf('\n', StringComparison.Ordinal)], method))];
        }
        finally
        {
            File.Delete(path);
        }
    }

    // The runtime's helper that looks up, or a call of an address in a register.
    [GeneratedRegex(@"CORINFO_HELP_RUNTIMEHANDLE|^\s+(call|tail\.jmp)\s+\[?r[a-z0-9]+(\+0x[0-9A-F]+)?\]?\s*$", RegexOptions.Multiline | RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 60_000)]
    private static partial Regex LookUp();
}
