using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Analysis;

/// <summary>The uses of one view after an await.</summary>
/// <param name="Local">The local that holds the view; null for the enumerator of a loop.</param>
/// <param name="Uses">The places of the uses, in the order of the file.</param>
internal sealed record UseAfterAwait(ILocalSymbol? Local, IReadOnlyList<SyntaxNode> Uses);
