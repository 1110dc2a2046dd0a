using System.Numerics;
using System.Runtime.CompilerServices;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.FlowAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace BufferedMessages.Generator.Analysis;

/// <summary>
/// The transfer function of the lifetime analysis. It visits the operations of one block in the order of execution, tracks the role and the holders of
/// each value and the ends of lifetimes, and finds uses after the end.
/// </summary>
internal sealed partial class LifetimeTransfer(LifetimeTypes types, LifetimeScope scope, LifetimeFindings findings)
{
    private FlowState _state = FlowState.Empty;
    private FlowStates? _thrown;
    private bool _returns;

    /// <summary>Runs a block.</summary>
    /// <param name="block">The block.</param>
    /// <param name="before">The state before it.</param>
    /// <param name="thrown">Receives the states in which an exception may leave it; null if nothing in the method catches one.</param>
    /// <returns>The state after it; null if it calls a method that never returns.</returns>
    public FlowState? Run(BasicBlock block, FlowState before, FlowStates? thrown)
    {
        _state = before;
        _thrown = thrown;
        _returns = true;
        foreach (var operation in block.Operations)
        {
            Evaluate(operation);
            if (!_returns)
            {
                return null;
            }
        }

        if (block.BranchValue is { } value)
        {
            var result = Evaluate(value, isReference: ReturnsReference(block));
            if (block.FallThroughSuccessor?.Semantics == ControlFlowBranchSemantics.Return && result.Role is LifetimeRole.View)
            {
                _state = _state.With(LifetimeScope.Returned, result);
            }
        }

        return _returns ? _state : null;
    }

    private static bool ReturnsReference(BasicBlock block) =>
        block.FallThroughSuccessor?.Semantics == ControlFlowBranchSemantics.Return && block.BranchValue?.Syntax.Parent is Microsoft.CodeAnalysis.CSharp.Syntax.RefExpressionSyntax;

    /// <summary>Runs an operation.</summary>
    /// <param name="operation">The operation.</param>
    /// <param name="isReference">Its result is used as a reference to a variable, not as a value.</param>
    /// <returns>The facts about its result.</returns>
    private Holding Evaluate(IOperation operation, bool isReference = false)
    {
        RuntimeHelpers.EnsureSufficientExecutionStack();
        switch (operation)
        {
            case INameOfOperation or ITypeOfOperation or ISizeOfOperation or IFlowAnonymousFunctionOperation:
                return default;
            case IFlowCaptureOperation capture:
                return EvaluateCapture(capture);
            case ISimpleAssignmentOperation assignment:
                return EvaluateAssignment(assignment);
            case IDeconstructionAssignmentOperation deconstruction:
                var facts = FactsOf(deconstruction.Target, deconstruction.Value).ToList();
                AssignAll(deconstruction.Target, Evaluate(deconstruction.Value));
                facts.ForEach(fact => Learn(fact.Target, fact.Fact));
                return default;
            case IIsPatternOperation match:
                var matched = Evaluate(match.Value);
                RequireOpen(match.Pattern, matched);
                AssignAll(match.Pattern, matched);
                return default;
            case IConversionOperation conversion:
                return EvaluateConversion(conversion, isReference);
            case IAwaitOperation wait:
                return EvaluateAwait(wait);
            case IInvocationOperation call:
                return EvaluateCall(call, isReference);
            case IPropertyReferenceOperation property when scope.VariableOf(property) is null:
                return EvaluateMember(new MemberUse(property, property.Property, property.Instance, property.Arguments), isReference);
            case IObjectCreationOperation { Constructor: { } constructor } creation:
                return EvaluateCreation(creation, constructor);
        }

        return scope.VariableOf(operation) is { } variable ? Read(variable, operation, isReference) : EvaluateParts(operation, isReference);
    }

    private Holding EvaluateParts(IOperation operation, bool isReference)
    {
        var result = default(Holding);
        var fact = Fact.Of(FactAfter(operation));
        foreach (var child in operation.ChildOperations)
        {
            var part = Evaluate(child, isReference);
            result = result.IsEmpty ? part.AsView() : result.Join(part.AsView());
        }

        if (operation is ICompoundAssignmentOperation or IIncrementOrDecrementOperation)
        {
            var target = operation.ChildOperations.First();
            ForgetPathsOf(target);
            Learn(target, fact);
            if (scope.VariableOf(target) is { } changed && _state[changed] is { Role: LifetimeRole.Position })
            {
                _state = _state.With(changed, default);
            }
        }

        if (MayThrow(operation))
        {
            NoteThrow();
        }

        // The caller of an iterator runs until it asks for the next element.
        if (operation.Kind == OperationKind.YieldReturn)
        {
            ForgetShared();
        }

        return isReference || types.RoleOf(operation.Type) == LifetimeRole.View ? result : default;
    }

    // A temporary that captures an assignment target is not read.
    private Holding EvaluateCapture(IFlowCaptureOperation capture)
    {
        if (!scope.IsTarget(capture.Id))
        {
            var fact = scope.CopiedBy(capture.Id) is null ? KnowledgeOf(capture.Value) : null;
            var value = Evaluate(capture.Value);
            _state = _state.With(capture.Id, value).Learn(capture.Id, fact);
        }
        else if (scope.VariableOf(capture.Value) is null)
        {
            EvaluateParts(capture.Value, isReference: false);
        }

        return default;
    }

    private Holding EvaluateAssignment(ISimpleAssignmentOperation assignment)
    {
        var fact = KnowledgeOf(assignment.Value);
        var variable = IsOfCopy(assignment.Target) ? null : scope.VariableOf(assignment.Target);
        if (variable is null || (!assignment.IsRef && IsReferenceToValue(variable, assignment.Target.Type)))
        {
            // An assignment to memory uses the expression that leads there, which may hold the value from now on. The flag of an object is only written.
            var isFlag = !IsOfCopy(assignment.Target) && scope.FlagOf(scope.Untargeted(assignment.Target)) is not null;
            Evaluate(isFlag && assignment.Target is IMemberReferenceOperation { Instance: { } owner } ? owner : assignment.Target, isReference: true);
            var stored = Evaluate(assignment.Value);
            ForgetPathsOf(assignment.Target);
            Store(assignment.Target, stored);
            if (isFlag && !(assignment.IsRef && scope.IsAlias(assignment.Target)))
            {
                Learn(assignment.Target, assignment.IsRef ? null : fact);
            }

            return stored;
        }

        var value = Evaluate(assignment.Value, assignment.IsRef);
        ForgetPathsOf(assignment.Target);
        value = Assign(variable, value, assignment.Target.Type, assignment.Value);
        Learn(assignment.Target, fact);
        return value;
    }

    // A 'with' expression assigns to a copy of a struct.
    private static bool IsOfCopy(IOperation target) => target is IMemberReferenceOperation { Instance: IFlowCaptureReferenceOperation { Type.IsValueType: true } };

    // A ref struct that receives a view depends on it.
    private void Store(IOperation target, Holding value)
    {
        var owner = target switch
        {
            IFieldReferenceOperation field => field.Instance,
            IPropertyReferenceOperation property => property.Instance,
            _ => null,
        };
        if (value.Role == LifetimeRole.View && owner is not null && types.RoleOf(owner.Type) == LifetimeRole.View && scope.VariableOf(owner) is { } variable)
        {
            _state = _state.With(variable, _state[variable] is { } known ? known.Join(value) : value);
        }
    }

    private Holding EvaluateConversion(IConversionOperation conversion, bool isReference)
    {
        var operand = Evaluate(conversion.Operand, isReference);
        if (MayThrow(conversion))
        {
            NoteThrow();
        }

        if (types.RoleOf(conversion.Type) == LifetimeRole.View)
        {
            return operand.AsView() with { IsMessage = operand.IsMessage || types.IsMessage(conversion.Type) };
        }

        return conversion.OperatorMethod is null && operand.Role != LifetimeRole.View ? operand : default;
    }

    private Holding EvaluateAwait(IAwaitOperation wait)
    {
        var result = Evaluate(wait.Operation);
        NoteThrow();
        ForgetShared();
        return types.RoleOf(wait.Type) == LifetimeRole.None ? default : result;
    }

    /// <summary>Assigns a value, or parts of it, to all variables that a target or a pattern declares or assigns.</summary>
    private void AssignAll(IOperation targets, Holding value)
    {
        foreach (var target in targets.DescendantsAndSelf().Where(static target => target.Parent is not IPropertySubpatternOperation part || part.Member != target))
        {
            var declared = KeptViews.DeclaredBy(target) ?? scope.VariableOf(target);
            ForgetPathsOf(target);
            if (declared is not null)
            {
                Assign(declared, PartFor(target, value), TypeOf(declared), target);
                Learn(target, null);
            }
        }
    }

    // A pattern for the value itself, as in 'value is { } same', not for a part of it.
    private static bool IsOfWhole(IOperation target) => target.Parent switch
    {
        IIsPatternOperation => true,
        INegatedPatternOperation negated => IsOfWhole(negated),
        IBinaryPatternOperation both => IsOfWhole(both),
        _ => false,
    };

    /// <summary>Gets the facts about what a part of a pattern or a target receives: about a path that leads there, or about the whole value.</summary>
    private Holding PartFor(IOperation target, Holding whole)
    {
        var isWhole = true;
        for (var part = target; part is IPatternOperation or IPropertySubpatternOperation && part.Parent is { } around; part = around)
        {
            if (around is IPropertySubpatternOperation { Member: var member } && scope.VariableOf(member) is MemberPath path)
            {
                var held = Read(path, member, isReference: false);
                return isWhole ? held : held.AsView();
            }

            isWhole = isWhole && around is INegatedPatternOperation or IBinaryPatternOperation;
        }

        return IsOfWhole(target) ? whole : whole.AsView();
    }

    private static ITypeSymbol? TypeOf(object variable) => variable switch
    {
        ILocalSymbol local => local.Type,
        IParameterSymbol parameter => parameter.Type,
        IFieldSymbol field => field.Type,
        IPropertySymbol property => property.Type,
        MemberPath path => TypeOf(path.Member),
        _ => null,
    };

    /// <summary>Assigns a value to a variable.</summary>
    /// <param name="variable">The variable.</param>
    /// <param name="value">The value.</param>
    /// <param name="type">The variable's type.</param>
    /// <param name="place">The code that yields the value. It counts as creating a holder if nothing is known about the value's holder.</param>
    /// <returns>The facts about the variable's new value.</returns>
    private Holding Assign(object variable, Holding value, ITypeSymbol? type, IOperation place)
    {
        if (scope.IsShared(variable))
        {
            ForgetVariable(variable);
        }

        // A reference may lead to a member of any object.
        if (scope.HasPaths && variable is ISymbol symbol)
        {
            ForgetPaths(path => path.Has(symbol) || IsReference(symbol));
        }

        var role = types.RoleOf(type);
        var held = role switch
        {
            LifetimeRole.View => value.AsView(),
            LifetimeRole.None => IsReference(variable) || value.Role is LifetimeRole.Position ? value : default,
            _ => value.Role == LifetimeRole.View || value.Self.IsZero && role != LifetimeRole.Loop ? Make(place, role) : value,
        };
        _state = _state.With(variable, held);
        return held;
    }

    /// <summary>Gets the holder that a place creates.</summary>
    private Holding Make(object place, LifetimeRole role, BigInteger from = default)
    {
        var (current, former) = scope.HoldersOf(place, role);
        _state = _state.Renew(current, former);
        return new Holding(role, current, from);
    }

    private Holding Read(object variable, IOperation operation, bool isReference)
    {
        var value = _state[variable] ?? Initial(variable, operation.Type);
        if (value is { Role: LifetimeRole.View, IsMessage: true, Closed: { } closing })
        {
            findings.Add(variable, closing, LateUse.View, operation.Syntax);
            value = value with { Closed = null };
        }

        // A program often notes in the same object that its delivery is closed, also in other methods. A late use of the delivery throws an exception, so only its views are reported.
        if (variable is MemberPath)
        {
            return value with { Closed = null };
        }

        return !isReference && IsReference(variable) && types.RoleOf(operation.Type) == LifetimeRole.None ? default : value;
    }

    // The value comes from outside: a parameter, a field, or a variable of the containing method.
    private Holding Initial(object variable, ITypeSymbol? type)
    {
        var role = types.RoleOf(type);
        if (role is LifetimeRole.None or LifetimeRole.View or LifetimeRole.Loop)
        {
            return new Holding(role, BigInteger.Zero, BigInteger.Zero);
        }

        // A path that was forgotten may lead to another holder now.
        var value = variable is MemberPath ? Make(variable, role) : new Holding(role, scope.HoldersOf(variable, role).Current, BigInteger.Zero);
        _state = _state.With(variable, value);
        return value;
    }

    private static bool IsReference(object variable) => variable is ILocalSymbol { IsRef: true };

    // An assignment to it changes the value there, but not the place that it refers to.
    private bool IsReferenceToValue(object variable, ITypeSymbol? type) => IsReference(variable) && types.RoleOf(type) == LifetimeRole.None;

    private void NoteThrow() => _thrown?.Add(_state);

    // All other operations may throw.
    private static bool MayThrow(IOperation operation) => operation switch
    {
        ILocalReferenceOperation or IParameterReferenceOperation or ILiteralOperation or IInstanceReferenceOperation or IFieldReferenceOperation => false,
        IExpressionStatementOperation or ISimpleAssignmentOperation or IDeclarationExpressionOperation or IDiscardOperation or IArgumentOperation => false,
        IFlowCaptureReferenceOperation or IDefaultValueOperation or IIsNullOperation or IIsPatternOperation or ICaughtExceptionOperation or ITupleOperation => false,
        IIncrementOrDecrementOperation { OperatorMethod: null, IsChecked: false } or IUnaryOperation { OperatorMethod: null, IsChecked: false } => false,
        ICompoundAssignmentOperation { OperatorMethod: null, IsChecked: false, OperatorKind: not (BinaryOperatorKind.Divide or BinaryOperatorKind.Remainder) } => false,
        IBinaryOperation { OperatorMethod: null, IsChecked: false, OperatorKind: not (BinaryOperatorKind.Divide or BinaryOperatorKind.Remainder) } => false,
        IConversionOperation { OperatorMethod: null, IsChecked: false } conversion => !conversion.IsImplicit && conversion.Conversion is { IsNumeric: false, IsIdentity: false },
        _ => true,
    };
}
