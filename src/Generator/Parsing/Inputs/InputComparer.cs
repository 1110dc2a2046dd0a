using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Parsing;

/// <summary>A comparer of inputs that leaves out the compilation, which every edit replaces.</summary>
internal sealed class InputComparer : IEqualityComparer<(SourceInput Left, WeakReference<Compilation> Right)>
{
    /// <summary>Gets the comparer.</summary>
    public static InputComparer Instance { get; } = new();

    public bool Equals((SourceInput Left, WeakReference<Compilation> Right) x, (SourceInput Left, WeakReference<Compilation> Right) y) => x.Left.Equals(y.Left);

    public int GetHashCode((SourceInput Left, WeakReference<Compilation> Right) obj) => obj.Left.GetHashCode();
}
