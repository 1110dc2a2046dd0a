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
            case IIsPatternOperation match when FactOf(match.Pattern) is { } matched:
                return (Remembered(match.Value), matched);
            case IIsTypeOperation test when IsAny(test.TypeOperand, test.ValueOperand.Type):
                return (Remembered(test.ValueOperand), test.IsNegated);
            case IPropertyReferenceOperation { Property: { Name: nameof(Nullable<int>.HasValue), ContainingType: var type }, Instance: { } nullable } when IsNullable(type):
                return (Remembered(nullable), false);
            case IBinaryOperation { OperatorMethod: null, OperatorKind: BinaryOperatorKind.Equals or BinaryOperatorKind.NotEquals } comparison:
                return ConditionOf(comparison.LeftOperand, comparison.RightOperand, comparison) ?? ConditionOf(comparison.RightOperand, comparison.LeftOperand, comparison) ?? default;
            default:
                return (IsBoolean(condition.Type) && Remembered(condition) is { } remembered && IsBoolean(TypeOf(remembered)) ? remembered : null, true);
        }
    }

    private (ISymbol? Variable, bool Fact)? ConditionOf(IOperation compared, IOperation constant, IBinaryOperation comparison) =>
        FactOfConstant(constant, compared.Type) is { } equal ? (Remembered(compared), equal == (comparison.OperatorKind == BinaryOperatorKind.Equals)) : null;

    /// <summary>Gets the outcome of a value that a pattern matches; null if it depends on more.</summary>
    private static bool? FactOf(IPatternOperation pattern) => pattern switch
    {
        INegatedPatternOperation negated => !FactOf(negated.Pattern),
        IConstantPatternOperation constant => FactOfConstant(constant.Value, constant.InputType),
        IRecursivePatternOperation { DeconstructSymbol: null, DeconstructionSubpatterns.IsEmpty: true, PropertySubpatterns.IsEmpty: true } any when IsAny(any.MatchedType, any.InputType) => false,
        IDeclarationPatternOperation { MatchesNull: false } any when IsAny(any.MatchedType, any.InputType) => false,
        ITypePatternOperation any when IsAny(any.MatchedType, any.InputType) => false,
        _ => null,
    };

    private static bool? FactOfConstant(IOperation constant, ITypeSymbol? type) => constant.ConstantValue switch
    {
        { HasValue: true, Value: null } => true,
        { HasValue: true, Value: bool truth } when IsBoolean(type) => truth,
        _ => null,
    };

    /// <summary>Determines whether a test for a type accepts every value of another type but null.</summary>
    private static bool IsAny(ITypeSymbol? tested, ITypeSymbol? type) =>
        SymbolEqualityComparer.Default.Equals(tested, type)
        || (type is INamedTypeSymbol { TypeArguments: [var value] } && IsNullable(type) && SymbolEqualityComparer.Default.Equals(tested, value));

    private static bool IsBoolean(ITypeSymbol? type) => type?.SpecialType == SpecialType.System_Boolean;

    private static bool IsNullable(ITypeSymbol? type) => type?.OriginalDefinition.SpecialType == SpecialType.System_Nullable_T;

    /// <summary>Gets the outcome of a value: whether it is true, or null for references; null if that is unknown.</summary>
    private bool? FactOf(IOperation value) => value switch
    {
        { ConstantValue: { HasValue: true, Value: bool truth } } => truth,
        { ConstantValue: { HasValue: true, Value: var constant }, Type.IsReferenceType: true } => constant is null,
        { ConstantValue: { HasValue: true, Value: null } } => true,
        IObjectCreationOperation or ICaughtExceptionOperation => false,
        IConversionOperation { Conversion: { IsIdentity: true } or { IsReference: true }, Operand: var operand } => FactOf(operand),
        IConversionOperation { OperatorMethod: null, Operand: var operand } conversion when IsNullable(conversion.Type) && !IsNullable(operand.Type) => IsNull(operand),
        IConversionOperation => null,
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
