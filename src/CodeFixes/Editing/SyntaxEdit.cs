using Microsoft.CodeAnalysis;

namespace BufferedMessages.CodeFixes;

/// <summary>One edit of a file.</summary>
/// <param name="Node">The node before all edits.</param>
/// <param name="Replace">Creates the new node from the node with the earlier edits, which include those of the nodes in it.</param>
internal sealed record SyntaxEdit(SyntaxNode Node, Func<SyntaxNode, SyntaxNode> Replace);
