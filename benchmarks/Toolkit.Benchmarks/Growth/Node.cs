using BufferedMessages;

namespace Toolkit.Benchmarks.Growth;

/// <summary>A message that is nested in itself, or that holds many of its kind.</summary>
[BufferedMessageSource]
public sealed partial class Node
{
    public int Number { get; set; }

    public Node? Child { get; set; }

    public List<Node>? Children { get; set; }

    /// <summary>Makes a chain of so many nodes.</summary>
    public static Node Chain(int depth) => new() { Number = depth, Child = depth == 1 ? null : Chain(depth - 1) };

    /// <summary>Makes a node that holds so many others.</summary>
    public static Node Row(int count) => new() { Children = [.. Enumerable.Range(0, count).Select(static i => new Node { Number = i })] };
}
