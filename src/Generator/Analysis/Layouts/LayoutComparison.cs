namespace BufferedMessages.Generator.Analysis;

/// <summary>
/// A comparison of the shipped lines of a type with those of the code. Names are not part of the layout, but they distinguish a removed member from
/// a renamed or changed one.
/// </summary>
internal sealed class LayoutComparison
{
    private readonly List<SchemaLine> _removed = [];
    private readonly List<(string Shipped, string Code)> _changed = [];

    /// <summary>Compares two layouts.</summary>
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

        // If numbers in the code are wrong, only names are compared.
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

        // A removed member moves the later ones: that is one mistake.
        Changed = _removed.Count == 0 && !hasErrors ? _changed : [];
        if (IsConsistent)
        {
            FirstNew = shipped is null
                ? "the type is missing"
                : code.Lines.Except(shipped.Lines, StringComparer.Ordinal).Select(static line => $"'{line}' is missing").FirstOrDefault();
        }
    }

    /// <summary>Gets whether the code is consistent with the shipped layout.</summary>
    public bool IsConsistent { get; }

    /// <summary>Gets the layout in the code.</summary>
    public TypeLayout Code { get; }

    /// <summary>Gets the shipped members and cases that the code no longer has.</summary>
    public IReadOnlyList<SchemaLine> Removed => _removed;

    /// <summary>Gets the lines that contradict each other.</summary>
    public IReadOnlyList<(string Shipped, string Code)> Changed { get; }

    /// <summary>Gets a description of the first part that the file lacks; null if it lacks nothing or the layouts are inconsistent.</summary>
    public string? FirstNew { get; }

    private static List<SchemaLine> Parse(IEnumerable<string> lines) => [.. lines.Select(SchemaLine.Parse).OfType<SchemaLine>()];

    // An equal kind under a new name is a renamed member, unless another shipped member has that name, or the ordinal is reserved for a removed one.
    private static bool IsSame(SchemaLine shipped, SchemaLine code, List<SchemaLine> allShipped) =>
        code.IsReservedCase
        || (string.Equals(shipped.Kind, code.Kind, StringComparison.Ordinal)
            && (code.Name is null
                || string.Equals(shipped.Name, code.Name, StringComparison.Ordinal)
                || (shipped.Name is not null && !allShipped.Exists(other => other.Name == code.Name))));

    private void Add(SchemaLine shipped, SchemaLine? now, List<SchemaLine> code)
    {
        // The members of an anonymous message cannot be reserved, so a removed one counts as changed.
        if (Code.CanReserve && shipped.Name is not null && !code.Exists(other => other.Name == shipped.Name) && !Code.Cases.Contains(shipped.Name, StringComparer.Ordinal))
        {
            _removed.Add(shipped);
        }
        else
        {
            _changed.Add((shipped.Text, now?.Text ?? "nothing"));
        }
    }
}
