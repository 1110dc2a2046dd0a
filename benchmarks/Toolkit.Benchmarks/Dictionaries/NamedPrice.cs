using BufferedMessages;

namespace Toolkit.Benchmarks.Dictionaries;

/// <summary>One entry of the list.</summary>
[BufferedMessageSource]
public sealed partial class NamedPrice
{
    public string Name { get; set; } = "";

    public long Price { get; set; }
}
