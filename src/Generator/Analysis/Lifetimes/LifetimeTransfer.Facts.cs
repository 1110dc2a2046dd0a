using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.FlowAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace BufferedMessages.Generator.Analysis;

/// <content>Conditions that depend on a variable: whether it is true, or null.</content>
internal sealed partial class LifetimeTransfer
{
    /// <summary>Gets the state on the path where a condition has this outcome; null if there is no such path.</summary>
    public FlowState? Assume(FlowState state, IOperation condition, bool outcome)
    {
        var (variable, fact) = ConditionOf(condition);
        return variable is null ? state : state.Assume(variable, fact == outcome);
    }

    /// <summary>Gets the variable that decides a condition, and its outcome if the condition is true.</summary>
    private (ISymbol? Variable, bool Fact) ConditionOf(IOperation condition)
    {
        switch (condition)
        {
            case IUnaryOperation { OperatorKind: UnaryOperatorKind.Not } not:
                var (negated, fact) = ConditionOf(not.Operand);
                return (negated, !fact);
            case IIsPatternOperation { Pattern: IConstantPatternOperation { Value: var value } } match when IsNull(value):
                return (Remembered(match.Value), true);
            case IIsPatternOperation { Pattern: INegatedPatternOperation { Pattern: IConstantPatternOperation { Value: var value } } } match when IsNull(value):
                return (Remembered(match.Value), false);
            case IBinaryOperation { OperatorMethod: null, OperatorKind: BinaryOperatorKind.Equals or BinaryOperatorKind.NotEquals } comparison when IsNull(comparison.RightOperand):
                return (Remembered(comparison.LeftOperand), comparison.OperatorKind == BinaryOperatorKind.Equals);
            default:
                return (condition.Type?.SpecialType == SpecialType.System_Boolean ? Remembered(condition) : null, true);
        }
    }

    /// <summary>Gets the outcome of a value: whether it is true, or null for references; null if that is unknown.</summary>
    private bool? FactOf(IOperation value) => value switch
    {
        { ConstantValue: { HasValue: true, Value: bool truth } } => truth,
        { ConstantValue: { HasValue: true, Value: var constant }, Type.IsReferenceType: true } => constant is null,
        { ConstantValue: { HasValue: true, Value: null } } => true,
        IObjectCreationOperation or ICaughtExceptionOperation => false,
        IConversionOperation { Conversion: { IsIdentity: true } or { IsReference: true }, Operand: var operand } => FactOf(operand),
        _ => Remembered(value) is { } variable ? _state.FactOf(variable) : null,
    };

    private static bool IsNull(IOperation value) => value.ConstantValue is { HasValue: true, Value: null };

    private ISymbol? Remembered(IOperation operation)
    {
        var bare = operation is IConversionOperation { OperatorMethod: null } conversion ? conversion.Operand : operation;
        return bare is ILocalReferenceOperation { Local.RefKind: RefKind.None } or IParameterReferenceOperation { Parameter.RefKind: RefKind.None }
            && scope.VariableOf(bare) is ISymbol symbol
            && !scope.IsShared(symbol) ? symbol : null;
    }

    private void Unlearn(IOperation target)
    {
        if (scope.VariableOf(target) is ISymbol symbol)
        {
            _state = _state.Learn(symbol, null);
        }
    }
}
