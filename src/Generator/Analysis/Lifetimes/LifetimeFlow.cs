using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.FlowAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace BufferedMessages.Generator.Analysis;

/// <summary>
/// A forward data-flow analysis of lifetimes over the control flow graph of a method: the facts that may hold on some path to each point. Each region is
/// visited until nothing new is found. A finally block is analyzed separately for each entry, so that its exits are not confused; all exceptions of inner finally
/// blocks are one entry.
/// </summary>
internal sealed class LifetimeFlow
{
    private readonly ImmutableArray<BasicBlock> _blocks;
    private readonly LifetimeTransfer _transfer;
    private readonly LifetimeFindings _findings;
    private readonly ControlFlowRegion _region;
    private readonly LifetimeFlow? _around;
    private readonly SortedDictionary<int, BasicBlock> _pending = [];
    private readonly Dictionary<int, FlowStates> _entries = [];
    private readonly Dictionary<ControlFlowRegion, LifetimeFlow> _passed = [];
    private readonly FlowStates _ends = new();

    private LifetimeFlow(ControlFlowGraph graph, LifetimeTransfer transfer, LifetimeFindings findings)
    {
        _blocks = graph.Blocks;
        _region = graph.Root;
        _transfer = transfer;
        _findings = findings;
    }

    /// <summary>Initializes the analysis of a finally block.</summary>
    private LifetimeFlow(LifetimeFlow around, ControlFlowRegion region)
    {
        _blocks = around._blocks;
        _region = region;
        _transfer = around._transfer;
        _findings = around._findings;
        _around = around;
    }

    /// <summary>Finds the uses after the end of a lifetime in a body, and in the lambdas and local functions in it.</summary>
    /// <param name="graph">The body.</param>
    /// <param name="owner">The method that the body belongs to.</param>
    /// <param name="types">The types that the rules track.</param>
    /// <param name="untracked">Variables that are not tracked.</param>
    /// <param name="assigned">Variables that are assigned after their declaration.</param>
    /// <param name="findings">Receives the uses that are found.</param>
    public static void Analyze(ControlFlowGraph graph, ISymbol owner, LifetimeTypes types, ISet<ISymbol> untracked, ISet<ISymbol> assigned, LifetimeFindings findings)
    {
        var transfer = new LifetimeTransfer(types, new LifetimeScope(types, graph, owner, untracked, assigned), findings);
        var flow = new LifetimeFlow(graph, transfer, findings);
        flow.Enter(graph.Blocks[0], FlowState.Empty);
        flow.Walk();
        foreach (var function in graph.LocalFunctions)
        {
            Analyze(graph.GetLocalFunctionControlFlowGraph(function), function, types, untracked, assigned, findings);
        }

        foreach (var lambda in LambdasIn(graph))
        {
            Analyze(graph.GetAnonymousFunctionControlFlowGraph(lambda), lambda.Symbol, types, untracked, assigned, findings);
        }
    }

    /// <summary>Gets the lambdas in a graph, apart from those in other lambdas and in local functions.</summary>
    public static IEnumerable<IFlowAnonymousFunctionOperation> LambdasIn(ControlFlowGraph graph) =>
        from block in graph.Blocks
        from operation in LifetimeScope.OperationsOf(block)
        from part in operation.DescendantsAndSelf()
        where part is IFlowAnonymousFunctionOperation
        select (IFlowAnonymousFunctionOperation)part;

    /// <summary>Gets the try blocks around a region, the innermost first. The graph of a lambda or local function is nested in that of its method, but its exceptions do not propagate there.</summary>
    public static IEnumerable<ControlFlowRegion> TriesAround(ControlFlowRegion from)
    {
        for (var region = from; region.Kind != ControlFlowRegionKind.Root; region = region.EnclosingRegion!)
        {
            if (region.Kind == ControlFlowRegionKind.Try)
            {
                yield return region;
            }
        }
    }

    private void Walk()
    {
        while (_pending.Count != 0)
        {
            var block = _pending.First().Value;
            _pending.Remove(block.Ordinal);
            foreach (var state in _entries[block.Ordinal].All.ToArray())
            {
                Run(block, state);
            }
        }
    }

    /// <summary>Adds a path into a block.</summary>
    private void Enter(BasicBlock block, FlowState state)
    {
        var flow = Owner(block.Ordinal);
        if (!flow._entries.TryGetValue(block.Ordinal, out var entry))
        {
            flow._entries.Add(block.Ordinal, entry = new FlowStates());
        }

        if (entry.Add(state))
        {
            flow._pending[block.Ordinal] = block;
        }
    }

    /// <summary>Gets the innermost flow whose region has a block.</summary>
    private LifetimeFlow Owner(int block)
    {
        var flow = this;
        while (block < flow._region.FirstBlockOrdinal || block > flow._region.LastBlockOrdinal)
        {
            flow = flow._around!;
        }

        return flow;
    }

    private void Run(BasicBlock block, FlowState before)
    {
        var thrown = TriesAround(block.EnclosingRegion).Any() ? new FlowStates() : null;
        var after = _transfer.Run(block, before, thrown);
        if (thrown is not null)
        {
            Unwind(block.EnclosingRegion, thrown.All);
        }

        if (after is null)
        {
            return;
        }

        if (block.ConditionalSuccessor is { } conditional && block.BranchValue is { } condition)
        {
            var whenTaken = block.ConditionKind == ControlFlowConditionKind.WhenTrue;
            Follow(block, conditional, _transfer.Assume(after, condition, whenTaken));
            Follow(block, block.FallThroughSuccessor, _transfer.Assume(after, condition, !whenTaken));
        }
        else
        {
            Follow(block, block.FallThroughSuccessor, after);
        }
    }

    private void Follow(BasicBlock block, ControlFlowBranch? branch, FlowState? state)
    {
        if (branch is null || state is null)
        {
            return;
        }

        switch (branch.Semantics)
        {
            case ControlFlowBranchSemantics.Throw or ControlFlowBranchSemantics.Rethrow:
                Unwind(block.EnclosingRegion, [state]);
                break;
            case ControlFlowBranchSemantics.StructuredExceptionHandling:
                _ends.Add(state);
                break;
            default:
                var states = branch.FinallyRegions.Aggregate<ControlFlowRegion, IReadOnlyList<FlowState>>([state], RunFinally);
                foreach (var end in states)
                {
                    Leave(block, branch, end);
                }

                break;
        }
    }

    private void Leave(BasicBlock block, ControlFlowBranch branch, FlowState state)
    {
        if (branch.Destination is not { } destination)
        {
            return;
        }

        if (destination.Kind == BasicBlockKind.Exit)
        {
            RequireLive(block, state);
        }

        // A variable that ends here decides no later condition.
        Enter(destination, branch.LeavingRegions.Aggregate(state, static (left, region) => left.Unlearn(
            [.. region.Locals, .. region.CaptureIds.Cast<object>(), .. left.Known.OfType<MemberPath>().Where(path => region.Locals.Any(path.Has))])));
    }

    // A view that ended before, or in a finally block on the way out, must not be returned to the caller.
    private void RequireLive(BasicBlock block, FlowState state)
    {
        foreach (var variable in state.Variables)
        {
            var place = variable switch
            {
                IParameterSymbol { RefKind: RefKind.Out or RefKind.Ref } parameter => parameter.DeclaringSyntaxReferences.FirstOrDefault()?.GetSyntax(),
                _ when variable == LifetimeScope.Returned => block.BranchValue?.Syntax,
                _ => null,
            };
            if (place is not null && state[variable] is { Role: LifetimeRole.View, IsMessage: true, Closed: { } closing })
            {
                _findings.Add(variable, closing, LateUse.Return, place);
            }
        }
    }

    private IReadOnlyList<FlowState> RunFinally(IReadOnlyList<FlowState> states, ControlFlowRegion region)
    {
        var flow = new LifetimeFlow(around: this, region);
        foreach (var state in states)
        {
            flow.Enter(_blocks[region.FirstBlockOrdinal], state);
        }

        flow.Walk();
        return flow._ends.All;
    }

    // Each finally block may throw into all blocks around it. Analyzed one by one, these exceptions would be twice as many with each block, so they share one analysis.
    private IReadOnlyList<FlowState> PassFinally(IReadOnlyList<FlowState> states, ControlFlowRegion region)
    {
        var owner = Owner(region.FirstBlockOrdinal);
        if (!owner._passed.TryGetValue(region, out var flow))
        {
            owner._passed.Add(region, flow = new LifetimeFlow(owner, region));
        }

        foreach (var state in states)
        {
            flow.Enter(_blocks[region.FirstBlockOrdinal], state);
        }

        if (flow._pending.Count == 0)
        {
            return [];
        }

        flow.Walk();
        return [.. flow._ends.All];
    }

    // An exception propagates outwards, into each catch block that may catch it and through each finally block.
    private void Unwind(ControlFlowRegion from, IReadOnlyList<FlowState> states)
    {
        foreach (var region in TriesAround(from))
        {
            var around = region.EnclosingRegion!;
            if (around.Kind == ControlFlowRegionKind.TryAndFinally)
            {
                states = _around is null ? RunFinally(states, around.NestedRegions[1]) : PassFinally(states, around.NestedRegions[1]);
            }
            else if (Catch(around, states))
            {
                return;
            }
        }
    }

    /// <returns>True if no exception passes the catch blocks.</returns>
    private bool Catch(ControlFlowRegion tryAndCatch, IReadOnlyList<FlowState> states)
    {
        foreach (var handler in tryAndCatch.NestedRegions.Skip(1))
        {
            foreach (var state in states)
            {
                Enter(_blocks[handler.FirstBlockOrdinal], state);
            }
        }

        return tryAndCatch.NestedRegions.Any(static handler =>
            handler is { Kind: ControlFlowRegionKind.Catch, ExceptionType: null or { SpecialType: SpecialType.System_Object } or { Name: nameof(Exception), ContainingNamespace.Name: nameof(System) } });
    }
}
