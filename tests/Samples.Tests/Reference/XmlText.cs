using System.Text.RegularExpressions;
using System.Xml.Linq;
using Microsoft.CodeAnalysis;

namespace BufferedMessages.Samples.Tests.Reference;

/// <summary>The XML documentation of members, as text for a page.</summary>
internal sealed partial class XmlText
{
    private readonly Dictionary<string, XElement> _members;

    private XmlText(Dictionary<string, XElement> members) => _members = members;

    public static XmlText Load(IEnumerable<string> files) => new(
        files.SelectMany(static file => XDocument.Load(file).Descendants("member"))
            .GroupBy(static member => member.Attribute("name")!.Value, StringComparer.Ordinal)
            .ToDictionary(static group => group.Key, static group => group.First(), StringComparer.Ordinal));

    /// <summary>What a type or a member is, and its remarks; empty if its comment has neither.</summary>
    public string SummaryOf(ISymbol symbol) =>
        ElementOf(symbol) is { } element ? string.Join(' ', new[] { "summary", "remarks" }.Select(name => element.Element(name)).OfType<XElement>().Select(TextOf)) : "";

    /// <summary>What a member does, and its exceptions, in one line.</summary>
    public string RowOf(ISymbol member) =>
        ElementOf(member) is { } element
            ? string.Join(' ', element.Elements("exception").Select(static exception => $"Throws `{NameOf(exception)}`: {TextOf(exception)}").Prepend(SummaryOf(member))).Replace("|", "\\|", StringComparison.Ordinal)
            : "";

    private XElement? ElementOf(ISymbol symbol) => symbol.GetDocumentationCommentId() is { } id ? _members.GetValueOrDefault(id) : null;

    private static string TextOf(XElement element) => Space().Replace(string.Concat(element.Nodes().Select(TextOf)), " ").Trim();

    private static string TextOf(XNode node) => node switch
    {
        XText text => text.Value,
        XElement { Name.LocalName: "see" or "seealso" } see when see.Attribute("href") is { } address => $"[{see.Value}]({address.Value})",
        XElement { Name.LocalName: "see" or "seealso" or "paramref" or "typeparamref" } reference => $"`{NameOf(reference)}`",
        XElement { Name.LocalName: "c" or "code" } code => $"`{code.Value.Trim()}`",
        XElement element => " " + TextOf(element) + " ",
        _ => "",
    };

    // Of a reference the last name: M:BufferedMessages.MessageQueue.Open(System.String) is Open.
    private static string NameOf(XElement reference)
    {
        var target = (reference.Attribute("cref") ?? reference.Attribute("name") ?? reference.Attribute("langword"))?.Value ?? reference.Value;
        return Arity().Replace(target.Split('(')[0].Split(':')[^1].Split('.')[^1], "");
    }

    [GeneratedRegex(@"\s+", RegexOptions.None, matchTimeoutMilliseconds: 60_000)]
    private static partial Regex Space();

    [GeneratedRegex("`+[0-9]+", RegexOptions.None, matchTimeoutMilliseconds: 60_000)]
    private static partial Regex Arity();
}
