namespace BufferedMessages.Generator.Analysis;

/// <summary>
/// Compares the shipped lines of a type with those of the code. Names do not matter for the layout, but they tell a member that was
/// removed from one that was renamed or changed.
/// </summary>
internal sealed class LayoutComparison
{
    private readonly List<SchemaLine> _removed = [];
    private readonly List<(string Shipped, string Code)> _changed = [];

    /// <summary>Compares.</summary>
    /// <param name="shipped">The layout in the file; null if it does not have the type.</param>
    /// <param name="code">The layout in the code.</param>
    public LayoutComparison(TypeLayout? shipped, TypeLayout code)
    {
        Code = code;
        var (shippedLines, codeLines) = (Parse(shipped?.Lines ?? []), Parse(code.Lines));
        if (shipped is not null && shipped.IsUnion != code.IsUnion)
        {
            Changed = [(shipped.Head, code.Head)];
            return;
        }

        // Where numbers are wrong, only the names count.
        var hasErrors = code.HasErrors;
        IsConsistent = !hasErrors;
        foreach (var line in shippedLines)
        {
            var now = hasErrors ? null : codeLines.Find(other => other.Ordinal == line.Ordinal);
            if (now is null || !IsSame(line, now, shippedLines))
            {
                Add(line, now, codeLines);
                IsConsistent = false;
            }
        }

        // Where one is removed, the ones behind it move: that is one mistake.
        Changed = _removed.Count == 0 && !hasErrors ? _changed : [];
        if (IsConsistent)
        {
            FirstNew = shipped is null
                ? "it does not have the type"
                : code.Lines.Except(shipped.Lines, StringComparer.Ordinal).Select(static line => $"it does not have '{line}'").FirstOrDefault();
        }
    }

    /// <summary>The code contradicts nothing that is shipped.</summary>
    public bool IsConsistent { get; }

    /// <summary>The layout in the code.</summary>
    public TypeLayout Code { get; }

    /// <summary>The shipped members and cases that the code does not have any more.</summary>
    public IReadOnlyList<SchemaLine> Removed => _removed;

    /// <summary>The lines that contradict each other.</summary>
    public IReadOnlyList<(string Shipped, string Code)> Changed { get; }

    /// <summary>What the file does not have, if the code has more than it and contradicts nothing; else null.</summary>
    public string? FirstNew { get; }

    private static List<SchemaLine> Parse(IEnumerable<string> lines) => [.. lines.Select(SchemaLine.Parse).OfType<SchemaLine>()];

    // A kind that stays under a new name is a member that was renamed, unless the name is that of another shipped one.
    private static bool IsSame(SchemaLine shipped, SchemaLine code, List<SchemaLine> allShipped) =>
        code.IsReservedCase
        || (string.Equals(shipped.Kind, code.Kind, StringComparison.Ordinal) && (code.Name is null || string.Equals(shipped.Name, code.Name, StringComparison.Ordinal) || !allShipped.Exists(other => other.Name == code.Name)));

    private void Add(SchemaLine shipped, SchemaLine? now, List<SchemaLine> code)
    {
        // What cannot be reserved was changed to nothing.
        if (Code.CanReserve && shipped.Name is not null && !code.Exists(other => other.Name == shipped.Name))
        {
            _removed.Add(shipped);
        }
        else
        {
            _changed.Add((shipped.Text, now?.Text ?? "nothing"));
        }
    }
}
