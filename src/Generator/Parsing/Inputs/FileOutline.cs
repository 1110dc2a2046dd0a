using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Parsing;

/// <summary>
/// The declarations of one source file by name, without their meaning. An outline equals only itself: a file that changes gets another one. It holds
/// no object of the compiler.
/// </summary>
internal sealed class FileOutline : IEquatable<FileOutline>
{
    private FileOutline(OutlineWalker names)
    {
        Frame = names.Frame;
        Declared = names.Declared;
        Mentioned = names.Mentioned;
        Passed = names.Passed;
        Bases = names.Bases;
        Global = names.Global;
    }

    /// <summary>Gets the text that may matter to every source: usings, namespaces, attributes of the assembly, and the heads of types.</summary>
    public string Frame { get; }

    /// <summary>Gets the names of the types and of the global aliases that the file declares.</summary>
    public IReadOnlyCollection<string> Declared { get; }

    /// <summary>Gets the names that the file uses outside of bodies.</summary>
    public IReadOnlyCollection<string> Mentioned { get; }

    /// <summary>Gets the names that matter also to those that mention a type of this file: of bases, of containing types, of aliases, in structs, in enums and in constants.</summary>
    public IReadOnlyCollection<string> Passed { get; }

    /// <summary>Gets the names in lists of bases, and in aliases, which may be bases. A source has the members of its bases too.</summary>
    public IReadOnlyCollection<string> Bases { get; }

    /// <summary>Gets the names that matter to every source: in global usings, and in the arguments of attributes of types and of the assembly.</summary>
    public IReadOnlyCollection<string> Global { get; }

    /// <summary>Gets the outline of a file.</summary>
    public static FileOutline Of(SyntaxTree file, CancellationToken cancellation)
    {
        var names = new OutlineWalker();
        names.Visit(file.GetRoot(cancellation));
        return new FileOutline(names);
    }

    public bool Equals(FileOutline? other) => ReferenceEquals(this, other);

    public override bool Equals(object? obj) => ReferenceEquals(this, obj);

    public override int GetHashCode() => System.Runtime.CompilerServices.RuntimeHelpers.GetHashCode(this);
}
