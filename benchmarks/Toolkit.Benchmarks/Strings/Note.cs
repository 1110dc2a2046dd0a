using BufferedMessages;

namespace Toolkit.Benchmarks.Strings;

/// <summary>A message of one string.</summary>
[BufferedMessageSource]
public sealed partial class Note
{
    public string Text { get; set; } = "";
}
