using System.Globalization;
using BufferedMessages.Generator.Model;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace BufferedMessages.Generator.Parsing;

/// <summary>
/// A parser that finds the cases of a union. Wrong numbers would change the meaning of messages silently, so the generated code then throws.
/// </summary>
internal sealed class CaseParser(INamedTypeSymbol union, Compilation compilation, IProblemSink? sink)
{
    private readonly SortedDictionary<int, CaseModel> _cases = [];
    private readonly SortedSet<int> _reserved = [];
    private readonly HashSet<ISymbol> _types = new(SymbolEqualityComparer.Default);
    private readonly HashSet<string> _names = new(StringComparer.Ordinal);
    private int _last;
    private string? _error;

    /// <summary>Gets the number of a union's last case, if its numbers have no gap.</summary>
    public static int LastNumberOf(INamedTypeSymbol union) => union.ProductAttributes(UnionType.CaseAttribute).Count() + ReservedOrdinal.OfCases(union).Count;

    /// <summary>Gets the cases and the reserved numbers in ascending order.</summary>
    public (IEnumerable<CaseModel> Cases, IEnumerable<int> Reserved, string? Error) Parse()
    {
        var attributes = union.ProductAttributes(UnionType.CaseAttribute).ToList();
        var reserved = ReservedOrdinal.OfCases(union);
        if (attributes.Count == 0)
        {
            sink?.Report(Rules.NoCases, union, union.Name);
        }

        // Skipped cases count too: their error must not cause a second one about a gap.
        _last = LastNumberOf(union);
        foreach (var (attribute, number) in reserved)
        {
            Reserve(attribute, number);
        }

        foreach (var attribute in attributes)
        {
            if (attribute.ConstructorArguments is [{ Value: int number }] && SourceOf(attribute) is { } type)
            {
                Add(attribute, number, type);
            }
        }

        return (_cases.Values, _reserved, _error);
    }

    private void Reserve(AttributeData attribute, int number)
    {
        if (IsOutside(number))
        {
            FailRange(attribute, "A [BufferedReserved]", number, Outside());
        }
        else if (!_reserved.Add(number))
        {
            FailRange(attribute, "A [BufferedReserved]", number, "which is already reserved; remove one of the two");
        }
    }

    /// <summary>Gets the source that an attribute declares as a case; null if its type does not fit.</summary>
    private INamedTypeSymbol? SourceOf(AttributeData attribute)
    {
        var found = attribute.AttributeClass!.TypeArguments[0];
        if (found.TypeKind == TypeKind.Error)
        {
            return null;
        }

        if (found is INamedTypeSymbol type && SourceType.IsSource(type))
        {
            return SourceType.IsEmitted(type) && Fits(attribute, type) ? type : null;
        }

        if (found is INamedTypeSymbol other && SourceType.CanBecomeSource(other, compilation))
        {
            sink?.Report(Rules.CaseNotASource, attribute, union.Name, other.Name);
        }
        else
        {
            sink?.Report(Rules.UnfitCase, attribute, found.InMessage(), union.Name, RefusalOf(found));
        }

        return null;
    }

    private bool Fits(AttributeData attribute, INamedTypeSymbol type)
    {
        var reason = !UnionType.IsIn(type, union) ? $"it does not {(union.TypeKind == TypeKind.Interface ? "implement" : "derive from")} the union"
            : !compilation.IsSymbolAccessibleWithin(type, compilation.Assembly) ? "it is not accessible to the view of the union; make it at least internal"
            : null;
        if (reason is not null)
        {
            sink?.Report(Rules.UnfitCase, attribute, type.Name, union.Name, reason);
            return false;
        }

        if (!_types.Add(type))
        {
            sink?.Report(Rules.DuplicateCase, attribute, type.Name, union.Name);
            return false;
        }

        return true;
    }

    // The attribute cannot make a message source of the type.
    private static string RefusalOf(ITypeSymbol type) => type switch
    {
        INamedTypeSymbol other when UnionType.IsUnion(other) => "it is a union itself; declare its cases instead",
        { IsAbstract: true } => "it has no objects of its own; declare the types that derive from it instead",
        INamedTypeSymbol { DeclaringSyntaxReferences.IsEmpty: false } own when GenericType.MemberProblem(own) is { } reason => reason,
        _ => "it is not a message source, and this project cannot make it one; declare a source that has its data",
    };

    private void Add(AttributeData attribute, int number, INamedTypeSymbol type)
    {
        var name = UnionType.CaseNameOf(attribute);
        if (NameProblem(name) is { } problem)
        {
            sink?.Report(Rules.NameTaken, attribute, $"The case '{type.Name}' of '{union.Name}'", name, problem);
        }
        else if (IsOutside(number))
        {
            FailRange(attribute, $"The case '{type.Name}'", number, Outside());
        }
        else if (_reserved.Contains(number))
        {
            FailRange(attribute, $"The case '{type.Name}'", number, "which is reserved for a removed case; give it another number");
        }
        else if (_cases.TryGetValue(number, out var other))
        {
            sink?.Report(Rules.DuplicateCaseNumber, attribute, type.Name, union.Name, Text(number), other.Name);
            _error ??= $"{Rules.DuplicateCaseNumber.Id}: the cases '{name}' and '{other.Name}' of '{union.Name}' both have number {Text(number)}";
        }
        else
        {
            _names.Add(name);
            _cases.Add(number, new CaseModel(number, name, SourceType.KindOf(type), AccessibilityOf(type), HasSubtypes: type is { IsSealed: false, IsValueType: false }));
        }
    }

    private string? NameProblem(string name)
    {
        if (!SyntaxFacts.IsValidIdentifier(name))
        {
            return "that is not a C# identifier; set another Name";
        }

        return GeneratedNames.IsTakenInCases(name) ? "the enum with the cases reserves it; set another Name"
            : _names.Contains(name) ? "another case has that name; set Name on one of them"
            : null;
    }

    // The view's members for a case must not be more accessible than the case.
    private string AccessibilityOf(INamedTypeSymbol type)
    {
        var isAsVisible = type.DeclaredAccessibility == union.DeclaredAccessibility && SymbolEqualityComparer.Default.Equals(type.ContainingSymbol, union.ContainingSymbol);
        return isAsVisible || type.IsPublic() || union.IsHidden() ? "public" : "internal";
    }

    private bool IsOutside(int number) => number < 1 || number > _last;

    private string Outside() =>
        $"which is not between 1 and {Text(_last)}, so the numbers have a gap; number the cases from 1 on without gaps, and reserve the numbers of removed cases";

    private void FailRange(AttributeData attribute, string what, int number, string reason)
    {
        sink?.Report(Rules.CaseNumberOutOfRange, attribute, what, union.Name, Text(number), reason);
        _error ??= $"{Rules.CaseNumberOutOfRange.Id}: {what} of '{union.Name}' has number {Text(number)}, {reason}";
    }

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);
}
