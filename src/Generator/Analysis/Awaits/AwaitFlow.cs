using System.Collections.Immutable;
using System.Runtime.CompilerServices;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.FlowAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace BufferedMessages.Generator.Analysis;

/// <summary>
/// A forward data-flow analysis of one async function. An await makes every view stale, an assignment makes one fresh. A stale view that is used is the one
/// that the compiler would have to keep over the await.
/// </summary>
internal sealed class AwaitFlow
{
    private readonly ControlFlowGraph _graph;
    private readonly ImmutableHashSet<object> _views;
    private readonly IReadOnlyDictionary<CaptureId, IOperation> _targets;
    private readonly SortedDictionary<int, BasicBlock> _pending = [];
    private readonly Dictionary<int, ImmutableHashSet<object>> _entries = [];
    private readonly Dictionary<object, HashSet<SyntaxNode>> _uses = [];
    private bool _hasAwaited;

    private AwaitFlow(ControlFlowGraph graph, ImmutableHashSet<object> views)
    {
        _graph = graph;
        _views = views;
        _targets = LifetimeScope.TargetsIn(graph);
    }

    /// <summary>Finds the views that are used after an await.</summary>
    public static IEnumerable<UseAfterAwait> Analyze(ControlFlowGraph graph, LifetimeTypes types)
    {
        var views = ImmutableHashSet.CreateRange(graph.Blocks.SelectMany(LifetimeScope.OperationsOf).SelectMany(static operation => operation.DescendantsAndSelf()).Select(part => ViewOf(part, types)).OfType<object>());
        if (views.IsEmpty)
        {
            return [];
        }

        var flow = new AwaitFlow(graph, views);
        try
        {
            flow.Walk();
        }
        catch (InsufficientExecutionStackException)
        {
            // An expression of thousands of parts, near the compiler's own limit, is not analyzed.
            return [];
        }

        return from use in flow._uses
               let places = use.Value.OrderBy(static place => place.SpanStart).ToList()
               orderby places[0].SpanStart
               select new UseAfterAwait(use.Key as ILocalSymbol, places);
    }

    /// <summary>Gets the variable of a view that an operation mentions: a local, or the compiler's temporary with the enumerator of a loop over a view or over deliveries.</summary>
    private static object? ViewOf(IOperation operation, LifetimeTypes types) => operation switch
    {
        ILocalReferenceOperation { Local: var local } when types.IsMessage(local.Type) => local,
        IFlowCaptureOperation { Value: IInvocationOperation { Type: { IsRefLikeType: true } enumerator, Instance: { } collection } } capture
            when capture.Syntax.Parent is CommonForEachStatementSyntax
                && (types.IsDeliveryLoop(enumerator) || collection.DescendantsAndSelf().Any(part => types.IsMessage(part.Type))) => capture.Id,
        _ => null,
    };

    private void Walk()
    {
        Enter(_graph.Blocks[0], []);
        while (_pending.Count != 0)
        {
            var block = _pending.First().Value;
            _pending.Remove(block.Ordinal);
            Run(block, _entries[block.Ordinal]);
        }
    }

    private void Enter(BasicBlock block, ImmutableHashSet<object> stale)
    {
        var known = _entries.TryGetValue(block.Ordinal, out var entry);
        var joined = known ? entry!.Union(stale) : stale;
        if (!known || joined.Count != entry!.Count)
        {
            _entries[block.Ordinal] = joined;
            _pending[block.Ordinal] = block;
        }
    }

    private void Run(BasicBlock block, ImmutableHashSet<object> before)
    {
        _hasAwaited = false;
        var after = LifetimeScope.OperationsOf(block).Aggregate(before, Visit);

        // An exception may leave the block at any point.
        var thrown = _hasAwaited ? _views : before.Union(after);

        foreach (var region in LifetimeFlow.TriesAround(block.EnclosingRegion))
        {
            foreach (var handler in region.EnclosingRegion!.NestedRegions.Skip(1))
            {
                Enter(_graph.Blocks[handler.FirstBlockOrdinal], thrown);
            }
        }

        Follow(block.ConditionalSuccessor, after);
        Follow(block.FallThroughSuccessor, after);
    }

    private void Follow(ControlFlowBranch? branch, ImmutableHashSet<object> stale)
    {
        if (branch?.Destination is not { } destination)
        {
            return;
        }

        foreach (var region in branch.FinallyRegions)
        {
            Enter(_graph.Blocks[region.FirstBlockOrdinal], stale);
            stale = HasAwait(region) ? _views : stale;
        }

        Enter(destination, stale);
    }

    private bool HasAwait(ControlFlowRegion region) =>
        _graph.Blocks
            .Skip(region.FirstBlockOrdinal)
            .Take(region.LastBlockOrdinal - region.FirstBlockOrdinal + 1)
            .SelectMany(LifetimeScope.OperationsOf)
            .Any(static operation => operation.DescendantsAndSelf().Any(static part => part is IAwaitOperation));

    /// <summary>Follows the evaluation of an operation.</summary>
    /// <returns>The views that are stale after it.</returns>
    private ImmutableHashSet<object> Visit(ImmutableHashSet<object> stale, IOperation operation)
    {
        RuntimeHelpers.EnsureSufficientExecutionStack();
        switch (operation)
        {
            case ISimpleAssignmentOperation { IsRef: false } assignment when LocalOf(assignment.Target) is { } local:
                return Visit(stale, assignment.Value).Remove(local);
            case IDeconstructionAssignmentOperation deconstruction:
                return Visit(stale, deconstruction.Value).Except(LocalsIn(deconstruction.Target));
            case IArgumentOperation { Parameter.RefKind: RefKind.Out } argument:
                return stale.Except(LocalsIn(argument.Value));
            case IFlowCaptureOperation capture when _targets.ContainsKey(capture.Id) && LocalOf(capture.Value) is not null:
                return stale;
            case IFlowCaptureOperation capture:
                return Visit(stale, capture.Value).Remove(capture.Id);
            case IAwaitOperation wait:
                Visit(stale, wait.Operation);
                _hasAwaited = true;
                return _views;
            case ILocalReferenceOperation { Local: var local } when stale.Contains(local):
                Add(local, operation.Syntax);
                return stale;
            case IFlowCaptureReferenceOperation reference when stale.Contains(reference.Id):
                Add(reference.Id, reference.Syntax);
                return stale;
            case INameOfOperation or IFlowAnonymousFunctionOperation:
                return stale;
            case IDeclarationPatternOperation { DeclaredSymbol: { } declared }:
                return stale.Remove(declared);
            case IRecursivePatternOperation { DeclaredSymbol: { } declared }:
                return operation.ChildOperations.Aggregate(stale, Visit).Remove(declared);
            case IListPatternOperation { DeclaredSymbol: { } declared }:
                return operation.ChildOperations.Aggregate(stale, Visit).Remove(declared);
            default:
                return operation.ChildOperations.Aggregate(stale, Visit);
        }
    }

    private IEnumerable<object> LocalsIn(IOperation target) => target.DescendantsAndSelf().Select(LocalOf).OfType<object>();

    // A temporary that captures an assignment target stands for the local.
    private ILocalSymbol? LocalOf(IOperation target) => target switch
    {
        ILocalReferenceOperation reference => reference.Local,
        IFlowCaptureReferenceOperation reference when _targets.TryGetValue(reference.Id, out var captured) => LocalOf(captured),
        _ => null,
    };

    private void Add(object view, SyntaxNode place)
    {
        if (!_uses.TryGetValue(view, out var places))
        {
            _uses.Add(view, places = []);
        }

        places.Add(place);
    }
}
