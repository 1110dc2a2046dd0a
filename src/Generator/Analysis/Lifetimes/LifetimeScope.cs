using System.Collections.Immutable;
using System.Numerics;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.FlowAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace BufferedMessages.Generator.Analysis;

/// <summary>The tracked variables of one method, lambda or local function, and the numbers of the places that create holders.</summary>
internal sealed class LifetimeScope
{
    /// <summary>The key of the method's return value.</summary>
    public static readonly object Returned = new();

    private readonly LifetimeTypes _types;
    private readonly ISymbol _owner;
    private readonly ISet<ISymbol> _untracked;
    private readonly ISet<ISymbol> _assigned;
    private readonly IReadOnlyDictionary<CaptureId, IOperation> _targets;
    private readonly Dictionary<CaptureId, IOperation> _copies;
    private readonly Dictionary<ISymbol, ISymbol> _aliases;
    private readonly HashSet<ISymbol> _tested;
    private readonly HashSet<Comparison> _compared;
    private readonly Dictionary<object, int> _places = [];
    private readonly Dictionary<string, decimal> _texts = new(StringComparer.Ordinal);
    private readonly ControlFlowGraph _graph;
    private List<object>? _flags;

    /// <param name="types">The types that the rules track.</param>
    /// <param name="graph">The body.</param>
    /// <param name="owner">The method that the body belongs to.</param>
    /// <param name="untracked">Variables that a lambda or a local function writes to, at an unknown time.</param>
    /// <param name="assigned">Variables that are assigned after their declaration.</param>
    public LifetimeScope(LifetimeTypes types, ControlFlowGraph graph, ISymbol owner, ISet<ISymbol> untracked, ISet<ISymbol> assigned)
    {
        _types = types;
        _graph = graph;
        _owner = owner;
        _untracked = untracked;
        _assigned = assigned;
        _targets = TargetsIn(graph);
        _copies = CopiesIn(graph);
        _aliases = AliasesIn(graph);
        _tested = TestedIn(graph);
        _compared = ComparedIn(graph);
    }

    /// <summary>Gets all places that create consumers and readers.</summary>
    public BigInteger Consumers { get; private set; }

    /// <summary>Gets whether the body names a path.</summary>
    public bool HasPaths { get; private set; }

    /// <summary>Gets the variable that an operation names, or the path to a tracked value; null for other operations and for untracked variables.</summary>
    public object? VariableOf(IOperation operation) => operation switch
    {
        IDeclarationExpressionOperation declaration => VariableOf(declaration.Expression),
        IFlowCaptureReferenceOperation capture => _targets.TryGetValue(capture.Id, out var target) ? VariableOf(target) : capture.Id,
        _ when SymbolOf(operation) is { } symbol => _untracked.Contains(symbol) || MayBeOverridden(symbol) ? null : symbol,
        IMemberReferenceOperation { Instance: not null } member when _types.RoleOf(member.Type) is not (LifetimeRole.None or LifetimeRole.View) => PathOf(member),
        _ => null,
    };

    /// <summary>Gets the variable that an operation names, even an untracked one, or the path to a tracked value or to a flag, as in <c>job.IsDone</c>; null for other operations.</summary>
    public object? FlagOf(IOperation operation) =>
        VariableOf(operation) ?? (object?)Unaliased(SymbolOf(operation)) ?? (operation is IMemberReferenceOperation { Instance: not null } flag && IsFlag(flag.Type) ? PathOf(flag) : null);

    /// <summary>Determines whether an operation names a local that is another name of one variable in all the body, as in <c>ref var same = ref done</c>.</summary>
    public bool IsAlias(IOperation operation) => SymbolOf(operation) is { } symbol && _aliases.ContainsKey(symbol);

    /// <summary>Determines whether the values of a type are remembered at the end of a path: those of a bool or an enum.</summary>
    public static bool IsFlag(ITypeSymbol? type) => type is { SpecialType: SpecialType.System_Boolean } or { TypeKind: TypeKind.Enum };

    /// <summary>Gets the assignment target that a compiler temporary captures, or the operation itself.</summary>
    public IOperation Untargeted(IOperation operation) => operation is IFlowCaptureReferenceOperation capture && _targets.TryGetValue(capture.Id, out var target) ? target : operation;

    /// <summary>Determines whether a compiler temporary captures an assignment target instead of a value.</summary>
    public bool IsTarget(CaptureId capture) => _targets.ContainsKey(capture);

    /// <summary>Gets the reference to the only variable whose value a compiler temporary receives, as in <c>switch (local)</c>; null for other temporaries.</summary>
    public IOperation? CopiedBy(CaptureId capture) => _copies.TryGetValue(capture, out var variable) ? variable : null;

    /// <summary>Gets the reference to a local, a parameter or a read-only field whose value a compiler temporary always has, or the operation itself.</summary>
    public IOperation Uncopied(IOperation operation) =>
        operation is IFlowCaptureReferenceOperation capture && CopiedBy(capture.Id) is { } copied && SymbolOf(copied) is ILocalSymbol or IParameterSymbol or IFieldSymbol { IsReadOnly: true } ? copied : operation;

    /// <summary>Determines whether the body compares a variable with a constant other than null, or matches it against a pattern that has one.</summary>
    public bool IsTested(ISymbol variable) => _tested.Contains(variable);

    /// <summary>Gets the two variables that an operation compares, and whether with their sides exchanged; null if the body compares them only once, or for other operations.</summary>
    public (Comparison Variables, bool IsTurned)? ComparisonOf(IBinaryOperation operation) =>
        PairOf(operation) is var (variables, isTurned) && _compared.Contains(variables) ? (variables, isTurned) : null;

    /// <summary>Gets the number of a text, which is the same for equal ones. It is negative for an empty text and for one of white space.</summary>
    public decimal NumberOf(string text)
    {
        if (!_texts.TryGetValue(text, out var number))
        {
            number = string.IsNullOrWhiteSpace(text) ? -1 - _texts.Count : _texts.Count;
            _texts.Add(text, number);
        }

        return number;
    }

    /// <summary>Determines whether a call to a method of this program may write to a variable.</summary>
    public bool IsShared(object variable) => variable switch
    {
        IFieldSymbol field => !field.IsReadOnly,
        IPropertySymbol property => property.SetMethod is { IsInitOnly: false },
        MemberPath path => IsShared(path.Root) || (path.Member.ContainingType.IsReferenceType && IsShared(path.Member)),
        Comparison comparison => IsShared(comparison.Left) || IsShared(comparison.Right),
        ILocalSymbol or IParameterSymbol => MayOthersAssign((ISymbol)variable) || _untracked.Contains((ISymbol)variable),
        _ => false,
    };

    /// <summary>Gets the bools and enums that the body names and a member of this program assigns, with the only value that it assigns to each, or none.</summary>
    public IEnumerable<(object Flag, ValueSet Values)> FlagsAssignedBy(ISymbol member)
    {
        var names = member is IMethodSymbol { MethodKind: MethodKind.Constructor } ? null : _types.Assigned.Of(member);
        return names is null or { Count: 0 }
            ? []
            : from flag in (_flags ??= FlagsIn())
              let name = (flag as MemberPath)?.Member.Name ?? ((ISymbol)flag).Name
              where names.ContainsKey(name) && IsShared(flag)
              select (flag, names[name]);
    }

    /// <summary>Gets the bit of the holder that a place creates, and the bit of the one that it created before.</summary>
    /// <param name="place">An operation, or a variable that receives its value from outside.</param>
    /// <param name="role">The role of the holder.</param>
    public (BigInteger Current, BigInteger Former) HoldersOf(object place, LifetimeRole role)
    {
        if (!_places.TryGetValue(place, out var number))
        {
            number = _places.Count;
            _places.Add(place, number);
        }

        var current = BigInteger.One << (2 * number);
        if (role == LifetimeRole.Consumer)
        {
            Consumers |= current | (current << 1);
        }

        return (current, current << 1);
    }

    /// <summary>Gets the operations of a block in the order of execution, with that of its branch.</summary>
    public static IEnumerable<IOperation> OperationsOf(BasicBlock block) => block.BranchValue is { } value ? block.Operations.Add(value) : block.Operations;

    /// <summary>Gets the assignment targets in a body that compiler temporaries capture, as in <c>view = condition ? one : other</c>.</summary>
    public static IReadOnlyDictionary<CaptureId, IOperation> TargetsIn(ControlFlowGraph graph)
    {
        var targets = new Dictionary<CaptureId, IOperation>();
        var operations = graph.Blocks.SelectMany(OperationsOf).ToImmutableArray();
        var assigned = operations.SelectMany(static operation => operation.DescendantsAndSelf())
            .OfType<IFlowCaptureReferenceOperation>()
            .Where(IsAssigned)
            .Select(static reference => reference.Id)
            .ToImmutableHashSet();
        foreach (var capture in operations.OfType<IFlowCaptureOperation>().Where(capture => assigned.Contains(capture.Id)))
        {
            targets[capture.Id] = capture.Value;
        }

        return targets;
    }

    private MemberPath? PathOf(IMemberReferenceOperation reference)
    {
        var member = reference switch
        {
            IFieldReferenceOperation { Field: { IsStatic: false, RefKind: RefKind.None } field } when field.ContainingType.IsTupleType || field.Locations.Any(static location => location.IsInSource) => field.CorrespondingTupleField ?? field,
            IPropertyReferenceOperation { Property: { IsStatic: false, IsVirtual: false, IsOverride: false } property, Arguments.IsEmpty: true } when MemberUse.IsStored(property) => property,
            _ => (ISymbol?)null,
        };
        if (member is null || _untracked.Contains(member) || _untracked.Contains(reference.Member) || member.ContainingType.IsRefLikeType)
        {
            return null;
        }

        if (KeptViews.OwnerOf(reference) is not { } owner || RootOf(Uncopied(owner)) is not { } root)
        {
            return null;
        }

        HasPaths = true;
        return new MemberPath(root, member);
    }

    // An override may return another object each time.
    private bool MayBeOverridden(ISymbol symbol) =>
        symbol is IPropertySymbol { IsSealed: false } property && (property.IsVirtual || property.IsOverride) && _types.RoleOf(property.Type) != LifetimeRole.None;

    // A reference to a variable may be another name for it.
    private object? RootOf(IOperation owner) => SymbolOf(owner) switch
    {
        ILocalSymbol { IsRef: true } or IParameterSymbol { RefKind: not RefKind.None } => null,
        { } symbol => _untracked.Contains(symbol) ? null : symbol,
        null => owner is IMemberReferenceOperation { Instance: not null } member ? PathOf(member) : null,
    };

    // A captured variable that is never assigned has one value. A parameter of a constructor may be one of the type, which other members can assign.
    private bool MayOthersAssign(ISymbol variable) =>
        !SymbolEqualityComparer.Default.Equals(variable.ContainingSymbol, _owner)
        && (_assigned.Contains(variable) || variable.ContainingSymbol is IMethodSymbol { MethodKind: MethodKind.Constructor });

    private static Dictionary<CaptureId, IOperation> CopiesIn(ControlFlowGraph graph) => graph.Blocks
        .SelectMany(static block => block.Operations)
        .OfType<IFlowCaptureOperation>()
        .GroupBy(static capture => capture.Id, static capture => capture.Value)
        .Where(static values => values.All(IsCopied) && values.Count() == 1)
        .ToDictionary(static values => values.Key, static values => values.First());

    // A reference that may lead to several variables is not an alias.
    private static Dictionary<ISymbol, ISymbol> AliasesIn(ControlFlowGraph graph)
    {
        var aliases = new Dictionary<ISymbol, ISymbol>(SymbolEqualityComparer.Default);
        var bindings = graph.Blocks
            .SelectMany(OperationsOf)
            .SelectMany(static operation => operation.DescendantsAndSelf())
            .OfType<ISimpleAssignmentOperation>()
            .Where(static assignment => assignment.IsRef)
            .GroupBy(static assignment => SymbolOf(assignment.Target), static assignment => SymbolOf(assignment.Value), SymbolEqualityComparer.Default);
        foreach (var binding in bindings)
        {
            if (binding.Key is ILocalSymbol alias && binding.Take(2).ToList() is [{ } named])
            {
                aliases.Add(alias, named);
            }
        }

        return aliases;
    }

    // In code with errors, references may lead to each other or to themselves, as in 'ref var same = ref same'.
    private ISymbol? Unaliased(ISymbol? symbol)
    {
        for (var steps = 0; steps < _aliases.Count && symbol is not null && _aliases.TryGetValue(symbol, out var named); steps++)
        {
            symbol = named;
        }

        return symbol;
    }

    private static bool IsCopied(IOperation value) => SymbolOf(value) is not (null or IFieldSymbol { IsVolatile: true });

    private HashSet<ISymbol> TestedIn(ControlFlowGraph graph) => new(
        graph.Blocks
            .SelectMany(OperationsOf)
            .SelectMany(static operation => operation.DescendantsAndSelf())
            .Where(static part => part switch
            {
                IBinaryOperation comparison => IsComparison(comparison.OperatorKind) && (IsConstant(comparison.LeftOperand) || IsConstant(comparison.RightOperand)),
                IIsPatternOperation match => match.Pattern.Descendants().Any(IsConstant),
                IInvocationOperation call => call.TargetMethod.Name == nameof(Enum.HasFlag),
                _ => false,
            })
            .SelectMany(static part => part.Descendants())
            .Select(part => part is IFlowCaptureReferenceOperation capture ? CopiedBy(capture.Id) ?? part : part)
            .Select(part => Unaliased(SymbolOf(part)))
            .OfType<ISymbol>(),
        SymbolEqualityComparer.Default);

    private List<object> FlagsIn() =>
    [
        .. _graph.Blocks
            .SelectMany(OperationsOf)
            .SelectMany(static operation => operation.DescendantsAndSelf())
            .Where(static operation => IsFlag(operation.Type))
            .Select(FlagOf)
            .OfType<object>()
            .Where(static flag => flag is ISymbol or MemberPath)
            .Distinct(),
    ];

    // A comparison that occurs once decides no other one.
    private HashSet<Comparison> ComparedIn(ControlFlowGraph graph) =>
    [
        .. graph.Blocks
            .SelectMany(OperationsOf)
            .SelectMany(static operation => operation.DescendantsAndSelf())
            .OfType<IBinaryOperation>()
            .Select(PairOf)
            .OfType<(Comparison Variables, bool IsTurned)>()
            .GroupBy(static pair => pair.Variables)
            .Where(static pairs => pairs.Skip(1).Any())
            .Select(static pairs => pairs.Key),
    ];

    // The same two variables are in the same order in all pairs.
    private (Comparison Variables, bool IsTurned)? PairOf(IBinaryOperation comparison)
    {
        if (!IsComparison(comparison.OperatorKind) || ComparedBy(comparison.LeftOperand) is not { } left || ComparedBy(comparison.RightOperand) is not { } right)
        {
            return null;
        }

        var isTurned = right is ISymbol last && (left is not ISymbol first || string.CompareOrdinal(first.Name, last.Name) > 0);
        return (isTurned ? new Comparison(right, left) : new Comparison(left, right), isTurned);
    }

    private object? ComparedBy(IOperation operation) => operation switch
    {
        { ConstantValue: { HasValue: true, Value: var constant } } => constant,
        IConversionOperation { OperatorMethod: null, IsImplicit: true, Operand: var operand } => ComparedBy(operand),
        IFlowCaptureReferenceOperation capture => CopiedBy(capture.Id) is { } copied ? ComparedBy(copied) : null,
        _ => SymbolOf(operation) switch
        {
            IFieldSymbol { IsVolatile: true } or IFieldSymbol { RefKind: not RefKind.None } or ILocalSymbol { IsRef: true } or IParameterSymbol { RefKind: not RefKind.None } => null,
            var symbol => symbol,
        },
    };

    private static bool IsComparison(BinaryOperatorKind kind) => kind
        is BinaryOperatorKind.Equals or BinaryOperatorKind.NotEquals
        or BinaryOperatorKind.LessThan or BinaryOperatorKind.LessThanOrEqual or BinaryOperatorKind.GreaterThan or BinaryOperatorKind.GreaterThanOrEqual;

    // A constant that is compared with a nullable value is converted to its type.
    private static bool IsConstant(IOperation operation) =>
        operation is { ConstantValue: { HasValue: true, Value: not null } } or IConversionOperation { Operand.ConstantValue: { HasValue: true, Value: not null } };

    private static ISymbol? SymbolOf(IOperation operation) => operation switch
    {
        ILocalReferenceOperation local => local.Local,
        IParameterReferenceOperation parameter => parameter.Parameter,
        IFieldReferenceOperation { Instance: null or IInstanceReferenceOperation { ReferenceKind: InstanceReferenceKind.ContainingTypeInstance } } field => field.Field,
        IPropertyReferenceOperation { Arguments.IsEmpty: true, Instance: null or IInstanceReferenceOperation { ReferenceKind: InstanceReferenceKind.ContainingTypeInstance } } property
            when MemberUse.IsStored(property.Property) => property.Property,
        _ => null,
    };

    private static bool IsAssigned(IFlowCaptureReferenceOperation reference) => reference.Parent switch
    {
        IAssignmentOperation assignment => assignment.Target == reference,
        IArgumentOperation argument => argument.Parameter?.RefKind is RefKind.Out or RefKind.Ref,
        IIncrementOrDecrementOperation => true,
        _ => false,
    };
}

/// <summary>A field or an automatic property of a variable, or of another path.</summary>
/// <param name="Root">The symbol of the variable, or the other path.</param>
/// <param name="Member">The field or property.</param>
internal sealed record MemberPath(object Root, ISymbol Member)
{
    /// <summary>Determines whether the path begins with a variable, or leads through a member.</summary>
    public bool Has(ISymbol part) =>
        SymbolEqualityComparer.Default.Equals(Member, part) || (Root is MemberPath path ? path.Has(part) : SymbolEqualityComparer.Default.Equals(Root as ISymbol, part));
}
