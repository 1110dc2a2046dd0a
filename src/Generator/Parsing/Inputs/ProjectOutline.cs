using System.Collections.Immutable;
using BufferedMessages.Generator.Model;

namespace BufferedMessages.Generator.Parsing;

/// <summary>The files of a project by the names that they declare.</summary>
internal sealed class ProjectOutline
{
    private readonly ProjectFrame _frame;
    private readonly string[] _global;
    private readonly Dictionary<string, List<FileOutline>> _byName = new(StringComparer.Ordinal);

    /// <summary>Indexes the files.</summary>
    public ProjectOutline(ImmutableArray<FileOutline> files, ProjectFrame frame)
    {
        _frame = frame;
        _global = [.. files.SelectMany(static file => file.Global)];
        foreach (var file in files)
        {
            foreach (var name in file.Declared)
            {
                if (!_byName.TryGetValue(name, out var declaring))
                {
                    _byName.Add(name, declaring = []);
                }

                declaring.Add(file);
            }
        }
    }

    /// <summary>
    /// Gets the input of a source or a union. It has the files of the type and of its bases, the files of all types that these mention, and from there those whose
    /// names are passed on. A name may bring in more files than it means, but never fewer: the frame has all names that could change the meaning of one.
    /// </summary>
    public SourceInput InputOf(TypeName type)
    {
        var whole = new HashSet<FileOutline>();
        var files = new HashSet<FileOutline>();

        // Each name is looked up once: a project may have hundreds of files that declare and mention the same ones.
        var wholeNames = new HashSet<string>(StringComparer.Ordinal);
        var names = new HashSet<string>(StringComparer.Ordinal);
        AddWhole(type.Simple);
        foreach (var name in _global.Concat(whole.SelectMany(static file => file.Mentioned)))
        {
            Add(name);
        }

        return new SourceInput(type, _frame, new EquatableArray<FileOutline>(files));

        void AddWhole(string name)
        {
            if (!wholeNames.Add(name))
            {
                return;
            }

            foreach (var file in FilesOf(name).Where(whole.Add))
            {
                files.Add(file);
                foreach (var inner in file.Bases)
                {
                    AddWhole(inner);
                }
            }
        }

        void Add(string name)
        {
            if (!names.Add(name))
            {
                return;
            }

            foreach (var file in FilesOf(name).Where(files.Add))
            {
                foreach (var inner in file.Passed)
                {
                    Add(inner);
                }
            }
        }
    }

    private List<FileOutline> FilesOf(string name) => _byName.TryGetValue(name, out var files) ? files : [];
}
