using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;

namespace BufferedMessages.Runtime.Tests.Wire;

/// <summary>A page of docs/format, whose examples are held to what the code does.</summary>
internal sealed partial class FormatPage
{
    private readonly string[] _lines;

    private FormatPage(string name)
    {
        using var stream = typeof(FormatPage).Assembly.GetManifestResourceStream(name)!;
        using var reader = new StreamReader(stream, Encoding.UTF8);
        _lines = reader.ReadToEnd().ReplaceLineEndings("\n").Split('\n');
    }

    public static FormatPage Messages { get; } = new("messages.md");

    public static FormatPage Schema { get; } = new("schema.md");

    /// <summary>Gets the lines of the block of a language.</summary>
    public IEnumerable<string> Fence(string language) =>
        _lines
            .SkipWhile(line => line != "```" + language)
            .Skip(1)
            .TakeWhile(line => line != "```");

    /// <summary>Gets the bytes of a block whose lines have an offset, bytes and their meaning.</summary>
    public byte[] Bytes(string language)
    {
        var bytes = new List<byte>();
        foreach (var line in Fence(language))
        {
            var match = ByteLine().Match(line);
            Assert.True(match.Success, $"No offset and bytes in '{line}'.");
            Assert.Equal(bytes.Count, int.Parse(match.Groups["offset"].Value, CultureInfo.InvariantCulture));
            bytes.AddRange(GoldenMessage.Parse(match.Groups["bytes"].Value));
        }

        return [.. bytes];
    }

    [GeneratedRegex("^ *(?<offset>[0-9]+)  (?<bytes>[0-9a-f]{2}( [0-9a-f]{2})*)( {2,}|$)", RegexOptions.ExplicitCapture | RegexOptions.NonBacktracking)]
    private static partial Regex ByteLine();
}
