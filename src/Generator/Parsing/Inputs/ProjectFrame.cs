using BufferedMessages.Generator.Model;
using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Parsing;

/// <summary>Everything that may matter to every source of a project: the frames of its files, its settings and the assemblies that it refers to. Compared by value.</summary>
internal sealed class ProjectFrame(IEnumerable<FileOutline> files, Compilation project) : IEquatable<ProjectFrame>
{
    private readonly EquatableArray<string> _files = new(files.Select(static file => file.Frame));
    private readonly string? _name = project.AssemblyName;
    private readonly CompilationOptions _options = project.Options;
    private readonly MetadataReference[] _references = [.. project.References];

    public bool Equals(ProjectFrame? other) =>
        ReferenceEquals(this, other)
        || (other is not null
            && string.Equals(_name, other._name, StringComparison.Ordinal)
            && _options.Equals(other._options)
            && _references.SequenceEqual(other._references)
            && _files == other._files);

    public override bool Equals(object? obj) => obj is ProjectFrame other && Equals(other);

    public override int GetHashCode() => _files.GetHashCode();
}
