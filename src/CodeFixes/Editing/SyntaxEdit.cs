using Microsoft.CodeAnalysis;

namespace BufferedMessages.CodeFixes;

/// <summary>One edit of a file.</summary>
/// <param name="Node">The node as it is before all edits.</param>
/// <param name="Replace">Gives the new node; it gets the node with the edits that were made before.</param>
internal sealed record SyntaxEdit(SyntaxNode Node, Func<SyntaxNode, SyntaxNode> Replace);
