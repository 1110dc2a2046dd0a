using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.FlowAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace BufferedMessages.Generator.Analysis;

/// <content>Conditions that depend on a variable: on the value of a bool, a whole number or an enum, or on whether it is null.</content>
internal sealed partial class LifetimeTransfer
{
    /// <summary>Gets the state on the path where a condition has this outcome; null if it cannot have it.</summary>
    public FlowState? Assume(FlowState state, IOperation condition, bool outcome)
    {
        if (TestOf(condition) is not { } test)
        {
            return state;
        }

        var values = outcome ? test.WhenTrue : test.WhenFalse;
        return Remembered(test.Tested) is { } variable ? state.Assume(variable, values)
            : FactOf(test.Tested, state)?.Intersect(values).IsEmpty == true ? null
            : state;
    }

    /// <summary>Gets the operation whose value decides a condition, with its values if the condition is true and if it is false; null if it depends on more.</summary>
    private static (IOperation Tested, ValueSet WhenTrue, ValueSet WhenFalse)? TestOf(IOperation condition)
    {
        switch (condition)
        {
            case IUnaryOperation { OperatorKind: UnaryOperatorKind.Not, OperatorMethod: null } not:
                return TestOf(not.Operand) is var (negated, whenTrue, whenFalse) ? (negated, whenFalse, whenTrue) : null;
            case IIsPatternOperation match:
                return TestOf(match.Pattern) is var (matched, other) ? (match.Value, matched, other) : null;
            case IIsTypeOperation test when IsAny(test.TypeOperand, test.ValueOperand.Type) && !IsValue(test.ValueOperand.Type):
                return test.IsNegated ? (test.ValueOperand, ValueSet.True, ValueSet.False) : (test.ValueOperand, ValueSet.False, ValueSet.True);
            case IPropertyReferenceOperation { Property: { Name: nameof(Nullable<int>.HasValue), ContainingType: var type }, Instance: { } nullable } when IsNullable(type):
                return (nullable, ValueSet.False, ValueSet.True);
            case IBinaryOperation comparison when (comparison.OperatorMethod is null || IsNull(comparison.LeftOperand) || IsNull(comparison.RightOperand)) && Turned(comparison.OperatorKind) is { } turned:
                return TestOf(comparison.LeftOperand, comparison.OperatorKind, comparison.RightOperand) ?? TestOf(comparison.RightOperand, turned, comparison.LeftOperand);
            default:
                return IsBoolean(condition.Type) ? (condition, ValueSet.True, ValueSet.False) : null;
        }
    }

    private static (IOperation Tested, ValueSet WhenTrue, ValueSet WhenFalse)? TestOf(IOperation compared, BinaryOperatorKind comparison, IOperation constant) =>
        TestOf(comparison, constant, compared.Type) is var (whenTrue, whenFalse) ? (compared, whenTrue, whenFalse) : null;

    /// <summary>Gets the values that a pattern matches, and those that it does not match; null if it depends on more.</summary>
    private static (ValueSet WhenTrue, ValueSet WhenFalse)? TestOf(IPatternOperation pattern) => pattern switch
    {
        INegatedPatternOperation negated => TestOf(negated.Pattern) is var (whenTrue, whenFalse) ? (whenFalse, whenTrue) : null,
        IConstantPatternOperation constant => TestOf(BinaryOperatorKind.Equals, constant.Value, constant.InputType),
        IRelationalPatternOperation relation => TestOf(relation.OperatorKind, relation.Value, relation.InputType),
        IBinaryPatternOperation both when TestOf(both.LeftPattern) is var (left, notLeft) && TestOf(both.RightPattern) is var (right, notRight) =>
            both.OperatorKind == BinaryOperatorKind.Or ? (left.Union(right), notLeft.Intersect(notRight)) : (left.Intersect(right), notLeft.Union(notRight)),
        IDiscardPatternOperation => (ValueSet.All, ValueSet.None),
        IRecursivePatternOperation { DeconstructSymbol: null, DeconstructionSubpatterns.IsEmpty: true, PropertySubpatterns.IsEmpty: true } any => TestOfType(any.MatchedType, any.InputType),
        IDeclarationPatternOperation { MatchesNull: false } any => TestOfType(any.MatchedType, any.InputType),
        ITypePatternOperation any => TestOfType(any.MatchedType, any.InputType),
        _ => null,
    };

    private static (ValueSet WhenTrue, ValueSet WhenFalse)? TestOfType(ITypeSymbol? tested, ITypeSymbol? type) =>
        IsAny(tested, type) && !IsValue(type) ? (ValueSet.False, ValueSet.True) : null;

    private static (ValueSet WhenTrue, ValueSet WhenFalse)? TestOf(BinaryOperatorKind comparison, IOperation constant, ITypeSymbol? type)
    {
        if (comparison == BinaryOperatorKind.NotEquals)
        {
            return TestOf(BinaryOperatorKind.Equals, constant, type) is var (equal, different) ? (different, equal) : null;
        }

        // A user-defined operator, as that of a record or of DateTime, finds only null equal to null.
        if (IsNull(constant))
        {
            return comparison == BinaryOperatorKind.Equals && (type is not { IsValueType: true } || IsNullable(type)) ? (ValueSet.True, ValueSet.False) : null;
        }

        switch (constant.ConstantValue)
        {
            case { HasValue: true, Value: bool truth } when comparison == BinaryOperatorKind.Equals && IsBoolean(type):
                return truth ? (ValueSet.True, ValueSet.False) : (ValueSet.False, ValueSet.True);
            case { HasValue: true, Value: { } value } when IsNumber(type) && NumberOf(value) is { } number:
                var values = comparison switch
                {
                    BinaryOperatorKind.LessThan => ValueSet.AtMost(number - 1),
                    BinaryOperatorKind.LessThanOrEqual => ValueSet.AtMost(number),
                    BinaryOperatorKind.GreaterThan => ValueSet.AtLeast(number + 1),
                    BinaryOperatorKind.GreaterThanOrEqual => ValueSet.AtLeast(number),
                    _ => ValueSet.Of(number),
                };
                return (values, values.Complement);
            default:
                return null;
        }
    }

    /// <summary>Gets the comparison with its sides exchanged; null for other operators.</summary>
    private static BinaryOperatorKind? Turned(BinaryOperatorKind comparison) => comparison switch
    {
        BinaryOperatorKind.Equals or BinaryOperatorKind.NotEquals => comparison,
        BinaryOperatorKind.LessThan => BinaryOperatorKind.GreaterThan,
        BinaryOperatorKind.LessThanOrEqual => BinaryOperatorKind.GreaterThanOrEqual,
        BinaryOperatorKind.GreaterThan => BinaryOperatorKind.LessThan,
        BinaryOperatorKind.GreaterThanOrEqual => BinaryOperatorKind.LessThanOrEqual,
        _ => null,
    };

    /// <summary>Determines whether a type test accepts every value of another type except null.</summary>
    private static bool IsAny(ITypeSymbol? tested, ITypeSymbol? type) =>
        SymbolEqualityComparer.Default.Equals(tested, type)
        || (type is INamedTypeSymbol { TypeArguments: [var value] } && IsNullable(type) && SymbolEqualityComparer.Default.Equals(tested, value));

    private static bool IsValue(ITypeSymbol? type) => IsBoolean(type) || IsNumber(type);

    private static bool IsBoolean(ITypeSymbol? type) => type?.SpecialType == SpecialType.System_Boolean;

    private static bool IsNumber(ITypeSymbol? type) => Underlying(type) is SpecialType.System_Char or (>= SpecialType.System_SByte and <= SpecialType.System_UInt64);

    private static SpecialType? Underlying(ITypeSymbol? type) => type is INamedTypeSymbol { EnumUnderlyingType: { } underlying } ? underlying.SpecialType : type?.SpecialType;

    private static bool IsNullable(ITypeSymbol? type) => type?.OriginalDefinition.SpecialType == SpecialType.System_Nullable_T;

    /// <summary>Gets a constant as a number; null for other constants.</summary>
    private static decimal? NumberOf(object constant) => constant switch
    {
        bool truth => truth ? 1 : 0,
        char character => character,
        sbyte or byte or short or ushort or int or uint or long or ulong => Convert.ToDecimal(constant, provider: null),
        _ => null,
    };

    /// <summary>Gets the possible values of an operation, or whether a reference is null; null if nothing is known about them.</summary>
    private ValueSet? FactOf(IOperation operation, FlowState state) => operation switch
    {
        { ConstantValue: { HasValue: true, Value: null } } => ValueSet.True,
        { ConstantValue: { HasValue: true, Value: { } constant }, Type: var type } => IsValue(type) ? NumberOf(constant) is { } number ? ValueSet.Of(number) : null
            : type?.IsReferenceType == true ? ValueSet.False
            : null,
        IObjectCreationOperation or ICaughtExceptionOperation => ValueSet.False,
        IConversionOperation { Conversion: { IsIdentity: true } or { IsReference: true }, Operand: var operand } => FactOf(operand, state),
        IConversionOperation { OperatorMethod: null, Operand: var operand } conversion when IsNullable(conversion.Type) && !IsNullable(operand.Type) => IsNull(operand) ? ValueSet.True : ValueSet.False,
        IConversionOperation conversion => KeepsNumber(conversion) ? FactOf(conversion.Operand, state) : null,
        IBinaryOperation { OperatorMethod: null, OperatorKind: BinaryOperatorKind.And or BinaryOperatorKind.Or } bits when IsValue(bits.Type) =>
            Combine(FactOf(bits.LeftOperand, state), bits.OperatorKind, FactOf(bits.RightOperand, state), bits.Type),
        IInvocationOperation { TargetMethod: { Name: nameof(Enum.HasFlag), ContainingType.SpecialType: SpecialType.System_Enum }, Instance: { } flags, Arguments: [{ Value: var flag }] } =>
            HasFlag(FactOf(Unboxed(flags), state), FactOf(Unboxed(flag), state)),
        _ when Remembered(operation) is { } variable => state.FactOf(variable),
        _ => IsBoolean(operation.Type) && TestOf(operation) is var (tested, whenTrue, whenFalse) && tested != operation ? Outcome(FactOf(tested, state), whenTrue, whenFalse) : null,
    };

    private static ValueSet? Outcome(ValueSet? values, ValueSet whenTrue, ValueSet whenFalse) =>
        values is null ? null
        : values.Intersect(whenTrue).IsEmpty ? ValueSet.False
        : values.Intersect(whenFalse).IsEmpty ? ValueSet.True
        : null;

    private static ValueSet? HasFlag(ValueSet? flags, ValueSet? flag) =>
        BitsOf(flags) is { } set && BitsOf(flag) is { } wanted ? (set & wanted) == wanted ? ValueSet.True : ValueSet.False : null;

    private static ValueSet? Combine(ValueSet? left, BinaryOperatorKind kind, ValueSet? right, ITypeSymbol? type)
    {
        // One operand is enough to decide: true for an or, false for an and.
        var decisive = kind == BinaryOperatorKind.Or ? ValueSet.True : ValueSet.False;
        if (IsBoolean(type) && (left == decisive || right == decisive))
        {
            return decisive;
        }

        return BitsOf(left) is { } one && BitsOf(right) is { } other ? ValueSet.Of(kind == BinaryOperatorKind.Or ? one | other : one & other) : null;
    }

    private static long? BitsOf(ValueSet? values) => values?.Single is { } number and >= long.MinValue and <= long.MaxValue ? (long)number : null;

    /// <summary>Gets the possible values that a variable has after the operation that changes it. Increments are assumed not to overflow.</summary>
    private ValueSet? FactAfter(IOperation operation) => operation switch
    {
        ICompoundAssignmentOperation { OperatorMethod: null, OperatorKind: BinaryOperatorKind.And or BinaryOperatorKind.Or } change when IsValue(change.Target.Type) =>
            Combine(FactOf(change.Target, _state), change.OperatorKind, FactOf(change.Value, _state), change.Target.Type),
        ICompoundAssignmentOperation { OperatorMethod: null, OperatorKind: BinaryOperatorKind.Add } sum when FactOf(sum.Value, _state)?.Single is > 0 and var step => Above(FactOf(sum.Target, _state), step),
        IIncrementOrDecrementOperation { OperatorMethod: null, Kind: OperationKind.Increment } count => Above(FactOf(count.Target, _state), 1),
        _ => null,
    };

    private static ValueSet? Above(ValueSet? values, decimal step) => values is { Ranges: [var (least, _), ..] } && least >= long.MinValue ? ValueSet.AtLeast(least + step) : null;

    /// <summary>Gets the facts about the variables that a deconstruction assigns, element by element.</summary>
    private IEnumerable<(IOperation Target, ValueSet? Values)> FactsOf(IOperation target, IOperation value) => (target, value) switch
    {
        (IDeclarationExpressionOperation declaration, _) when declaration.Expression is ITupleOperation => FactsOf(declaration.Expression, value),
        (_, IConversionOperation { OperatorMethod: null } conversion) when target is ITupleOperation => FactsOf(target, conversion.Operand),
        (ITupleOperation targets, ITupleOperation values) => targets.Elements.Zip(values.Elements, FactsOf).SelectMany(static facts => facts),
        _ => [(target, FactOf(value, _state))],
    };

    private static bool IsNull(IOperation value) =>
        value.ConstantValue is { HasValue: true, Value: null } || (value is IConversionOperation { OperatorMethod: null } conversion && IsNull(conversion.Operand));

    private static IOperation Unboxed(IOperation operation) => operation is IConversionOperation { OperatorMethod: null, Type.IsValueType: false } boxing ? boxing.Operand : operation;

    // A conversion to a smaller type may change the number.
    private static bool KeepsNumber(IConversionOperation conversion) =>
        conversion.OperatorMethod is null && IsNumber(conversion.Type) && IsNumber(conversion.Operand.Type) && (conversion.IsImplicit || Underlying(conversion.Type) == Underlying(conversion.Operand.Type));

    /// <summary>Gets the variable or the compiler temporary whose values are remembered for an operation; null for other operations.</summary>
    private object? Remembered(IOperation operation)
    {
        var bare = operation is IConversionOperation { OperatorMethod: null } conversion && (!IsValue(conversion.Type) || KeepsNumber(conversion)) ? conversion.Operand : operation;
        if (bare is IFlowCaptureReferenceOperation capture)
        {
            return scope.CopiedBy(capture.Id) is { } copied ? Remembered(copied) : scope.IsTarget(capture.Id) ? null : capture.Id;
        }

        var isVariable = bare is ILocalReferenceOperation { Local.RefKind: RefKind.None } or IParameterReferenceOperation { Parameter.RefKind: RefKind.None }
            or IFieldReferenceOperation { Field.RefKind: RefKind.None } or IPropertyReferenceOperation;
        return (isVariable ? scope.FlagOf(bare) : null) switch
        {
            IFieldSymbol { IsVolatile: true } or MemberPath { Member: IFieldSymbol { IsVolatile: true } } => null,
            ISymbol symbol => !IsNumber(bare.Type) || scope.IsTested(symbol) ? symbol : null,
            MemberPath path => LifetimeScope.IsFlag(bare.Type) ? path : null,
            _ => null,
        };
    }

    /// <summary>Sets the possible values of an assigned variable; null if nothing is known about them.</summary>
    private void Learn(IOperation target, ValueSet? fact)
    {
        switch (scope.FlagOf(scope.Untargeted(target)))
        {
            case ISymbol symbol:
                _state = _state.Learn(symbol, IsNumber(TypeOf(symbol)) && !scope.IsTested(symbol) ? null : fact);
                break;
            case MemberPath path when LifetimeScope.IsFlag(TypeOf(path)):
                _state = _state.Learn(path, fact);
                break;
        }
    }
}
