using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Text;

namespace BufferedMessages.Generator.Tests;

/// <summary>A layout file as an additional file of the compiler.</summary>
internal sealed class LayoutText(string text) : AdditionalText
{
    public override string Path => "/project/BufferedMessages.Layout.txt";

    public override SourceText GetText(CancellationToken cancellationToken = default) => SourceText.From(text);
}
