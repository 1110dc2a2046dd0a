using System.Runtime.CompilerServices;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.FlowAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace BufferedMessages.Generator.Analysis;

/// <content>Conditions that depend on a variable: on the value of a bool, a number, an enum or a string, or on whether it is null.</content>
internal sealed partial class LifetimeTransfer
{
    /// <summary>Gets the state on the path where a condition has this outcome; null if it cannot have it.</summary>
    public FlowState? Assume(FlowState state, IOperation condition, bool outcome)
    {
        if (ConditionOf(condition) is { } test)
        {
            return state.Assume(test.Variable, outcome ? test.WhenTrue : test.WhenFalse);
        }

        return TestOf(condition) is var (tested, whenTrue, whenFalse) && FactOf(tested, state)?.Intersect(outcome ? whenTrue : whenFalse).IsEmpty == true ? null : state;
    }

    /// <summary>Gets a condition on the variable, or on the order of the two variables, that decides it; null if it depends on more.</summary>
    private Condition? ConditionOf(IOperation condition) => condition switch
    {
        IUnaryOperation { OperatorKind: UnaryOperatorKind.Not, OperatorMethod: null } not => ConditionOf(not.Operand)?.Negated,
        _ when TestOf(condition) is var (tested, whenTrue, whenFalse) && Remembered(tested) is { } variable => new Condition(variable, whenTrue, whenFalse),
        IBinaryOperation comparison => ComparisonOf(comparison),
        _ => null,
    };

    private Condition? ComparisonOf(IBinaryOperation comparison)
    {
        if (scope.ComparisonOf(comparison) is not var (variables, isTurned))
        {
            return null;
        }

        var order = (isTurned ? Turned(comparison.OperatorKind) : comparison.OperatorKind) switch
        {
            BinaryOperatorKind.LessThan => ValueSet.Of(-1),
            BinaryOperatorKind.LessThanOrEqual => ValueSet.Between(-1, 0),
            BinaryOperatorKind.GreaterThan => ValueSet.Of(1),
            BinaryOperatorKind.GreaterThanOrEqual => ValueSet.Between(0, 1),
            _ => ValueSet.Of(0),
        };
        var condition = new Condition(variables, order, order.Complement);
        return comparison.OperatorKind == BinaryOperatorKind.NotEquals ? condition.Negated : condition;
    }

    /// <summary>Gets the operation whose value decides a condition, with its values if the condition is true and if it is false; null if it depends on more.</summary>
    private (IOperation Tested, ValueSet WhenTrue, ValueSet WhenFalse)? TestOf(IOperation condition)
    {
        RuntimeHelpers.EnsureSufficientExecutionStack();
        switch (condition)
        {
            case IUnaryOperation { OperatorKind: UnaryOperatorKind.Not, OperatorMethod: null } not:
                return TestOf(not.Operand) is var (negated, whenTrue, whenFalse) ? (negated, whenFalse, whenTrue) : null;
            case IIsPatternOperation match:
                return TestOf(match.Pattern) is var (matched, other) ? (match.Value, matched, other) : null;
            case IIsTypeOperation test when TestOfType(test.TypeOperand, test.ValueOperand.Type) is var (ofType, ofOthers):
                return test.IsNegated ? (test.ValueOperand, ofOthers, ofType) : (test.ValueOperand, ofType, ofOthers);
            case IPropertyReferenceOperation { Property: { Name: nameof(Nullable<int>.HasValue), ContainingType: var type }, Instance: { } nullable } when IsNullable(type):
                return (nullable, ValueSet.NotNull, ValueSet.Null);
            case IInvocationOperation { TargetMethod: { Name: nameof(string.IsNullOrEmpty), ContainingType.SpecialType: SpecialType.System_String }, Arguments: [{ Value: var text }] }:
                var empty = ValueSet.Null.Union(ValueSet.Of(scope.NumberOf("")));
                return (text, empty, empty.Complement);
            case IInvocationOperation { TargetMethod: { Name: nameof(string.IsNullOrWhiteSpace), ContainingType.SpecialType: SpecialType.System_String }, Arguments: [{ Value: var text }] }:
                return (text, ValueSet.NotBlank.Complement, ValueSet.NotBlank);
            case IBinaryOperation comparison when (!IsUserDefined(comparison) || IsNull(comparison.LeftOperand) || IsNull(comparison.RightOperand)) && Turned(comparison.OperatorKind) is { } turned:
                return TestOf(comparison.LeftOperand, comparison.OperatorKind, comparison.RightOperand) ?? TestOf(comparison.RightOperand, turned, comparison.LeftOperand);
            default:
                return IsBoolean(condition.Type) ? (condition, ValueSet.True, ValueSet.False) : null;
        }
    }

    private (IOperation Tested, ValueSet WhenTrue, ValueSet WhenFalse)? TestOf(IOperation compared, BinaryOperatorKind comparison, IOperation constant) =>
        TestOf(comparison, constant, compared.Type) is var (whenTrue, whenFalse) ? (compared, whenTrue, whenFalse) : null;

    /// <summary>Gets the values that a pattern may match, and those that it may not match; null if nothing is known of them.</summary>
    private (ValueSet WhenTrue, ValueSet WhenFalse)? TestOf(IPatternOperation pattern)
    {
        RuntimeHelpers.EnsureSufficientExecutionStack();
        return pattern switch
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
            IRecursivePatternOperation or IListPatternOperation when !IsValue(pattern.InputType) => (ValueSet.NotNull, ValueSet.All),
            _ => null,
        };
    }

    // Null is of no type, so that a value of the type is not null.
    private static (ValueSet WhenTrue, ValueSet WhenFalse)? TestOfType(ITypeSymbol? tested, ITypeSymbol? type) =>
        IsValue(type) ? null : (ValueSet.NotNull, IsAny(tested, type) ? ValueSet.Null : ValueSet.All);

    private (ValueSet WhenTrue, ValueSet WhenFalse)? TestOf(BinaryOperatorKind comparison, IOperation constant, ITypeSymbol? type)
    {
        if (comparison == BinaryOperatorKind.NotEquals)
        {
            return TestOf(BinaryOperatorKind.Equals, constant, type) is var (equal, different) ? (different, equal) : null;
        }

        // A user-defined operator, as that of a record or of DateTime, finds only null equal to null.
        if (IsNull(constant))
        {
            return comparison == BinaryOperatorKind.Equals && (type is not { IsValueType: true } || IsNullable(type)) ? (ValueSet.Null, ValueSet.NotNull) : null;
        }

        var kind = KindOf(type);
        if (NumberOf(ConstantOf(constant), kind) is not { } number || (comparison != BinaryOperatorKind.Equals && kind is SpecialType.System_Boolean or SpecialType.System_String))
        {
            return null;
        }

        var values = comparison switch
        {
            BinaryOperatorKind.LessThan => ValueSet.AtMost(number - 1),
            BinaryOperatorKind.LessThanOrEqual => ValueSet.AtMost(number),
            BinaryOperatorKind.GreaterThan => ValueSet.AtLeast(number + 1),
            BinaryOperatorKind.GreaterThanOrEqual => ValueSet.AtLeast(number),
            _ => ValueSet.Of(number),
        };

        // For a type without null, null counts as a greatest number, so that both outcomes together are all values: nothing is known then.
        if (comparison is BinaryOperatorKind.GreaterThan or BinaryOperatorKind.GreaterThanOrEqual && !IsNullable(type))
        {
            values = values.Union(ValueSet.Null);
        }

        return (values, !IsBoolean(type) ? values.Complement : number == 0 ? ValueSet.True : ValueSet.False);
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

    // The operators of string are the language's own.
    private static bool IsUserDefined(IBinaryOperation comparison) => comparison.OperatorMethod is { ContainingType.SpecialType: not SpecialType.System_String };

    private static bool IsValue(ITypeSymbol? type) => IsBoolean(type) || IsNumber(type);

    private static bool IsBoolean(ITypeSymbol? type) => type?.SpecialType == SpecialType.System_Boolean;

    private static bool IsNumber(ITypeSymbol? type) => IsWhole(type) && !IsNullable(type);

    private static bool IsWhole(ITypeSymbol? type) => KindOf(type) == SpecialType.System_Int64;

    /// <summary>Gets the kind of values that a type has, or the type in a nullable one: those of bool, of long for whole numbers and enums, of double, or of string.</summary>
    private static SpecialType KindOf(ITypeSymbol? type) => Underlying(type) switch
    {
        SpecialType.System_Char or (>= SpecialType.System_SByte and <= SpecialType.System_UInt64) => SpecialType.System_Int64,
        SpecialType.System_Single or SpecialType.System_Double => SpecialType.System_Double,
        SpecialType.System_Boolean => SpecialType.System_Boolean,
        SpecialType.System_String => SpecialType.System_String,
        _ => SpecialType.None,
    };

    private static SpecialType? Underlying(ITypeSymbol? type) => type switch
    {
        INamedTypeSymbol { TypeArguments: [var value] } when IsNullable(type) => Underlying(value),
        INamedTypeSymbol { EnumUnderlyingType: { } underlying } => underlying.SpecialType,
        _ => type?.SpecialType,
    };

    private static bool IsNullable(ITypeSymbol? type) => type?.OriginalDefinition.SpecialType == SpecialType.System_Nullable_T;

    /// <summary>Gets the value of a constant, also where it is converted to a nullable type; null for other operations.</summary>
    private static object? ConstantOf(IOperation operation) => operation switch
    {
        { ConstantValue: { HasValue: true, Value: var constant } } => constant,
        IConversionOperation { OperatorMethod: null, Operand: var operand } conversion when IsNullable(conversion.Type) => ConstantOf(operand),
        _ => null,
    };

    /// <summary>Gets a constant as a number, in the order of the values of this kind; null for other constants.</summary>
    private decimal? NumberOf(object? constant, SpecialType kind) => (kind, constant) switch
    {
        (SpecialType.System_Boolean, bool truth) => truth ? 1 : 0,
        (SpecialType.System_Int64, char character) => character,
        (SpecialType.System_Int64, sbyte or byte or short or ushort or int or uint or long or ulong) => Convert.ToDecimal(constant, provider: null),
        (SpecialType.System_Double, float or double or int or uint or long) => OrderOf(Convert.ToDouble(constant, provider: null)),
        (SpecialType.System_String, string text) => scope.NumberOf(text),
        _ => null,
    };

    // The bits of a number without its sign are in the order of the numbers.
    private static decimal OrderOf(double number)
    {
        var bits = BitConverter.DoubleToInt64Bits(number);
        return bits < 0 ? -(decimal)(bits & long.MaxValue) : bits;
    }

    /// <summary>Gets the possible values of an operation; null if nothing is known about them.</summary>
    private ValueSet? FactOf(IOperation operation, FlowState state)
    {
        RuntimeHelpers.EnsureSufficientExecutionStack();
        return operation switch
        {
            { ConstantValue: { HasValue: true, Value: null } } => ValueSet.Null,
            { ConstantValue: { HasValue: true, Value: { } constant }, Type: var type } => NumberOf(constant, KindOf(type)) is { } number ? ValueSet.Of(number)
                : type?.IsReferenceType == true ? ValueSet.NotNull
                : null,
            IObjectCreationOperation { Type.IsReferenceType: true } or ICaughtExceptionOperation => ValueSet.NotNull,
            IConversionOperation { Conversion: { IsIdentity: true } or { IsReference: true }, IsTryCast: false, Operand: var operand } => FactOf(operand, state),
            IConversionOperation { OperatorMethod: null, Operand: var operand } conversion when IsNullable(conversion.Type) && !IsNullable(operand.Type) && operand.Type?.IsReferenceType != true =>
                IsNull(operand) ? ValueSet.Null : (KeepsValue(conversion) ? FactOf(operand, state)?.Intersect(ValueSet.NotNull) : null) ?? ValueSet.NotNull,
            IConversionOperation conversion => KeepsValue(conversion) ? FactOf(conversion.Operand, state) : null,
            IBinaryOperation { OperatorMethod: null, OperatorKind: BinaryOperatorKind.And or BinaryOperatorKind.Or } bits when IsValue(bits.Type) =>
                Combine(FactOf(bits.LeftOperand, state), bits.OperatorKind, FactOf(bits.RightOperand, state), bits.Type),
            IInvocationOperation { TargetMethod: { Name: nameof(Enum.HasFlag), ContainingType.SpecialType: SpecialType.System_Enum }, Instance: { } flags, Arguments: [{ Value: var flag }] } =>
                HasFlag(FactOf(Unboxed(flags), state), FactOf(Unboxed(flag), state)),
            _ when Remembered(operation) is { } variable => state.FactOf(variable),
            _ => IsBoolean(operation.Type) && TestOf(operation) is var (tested, whenTrue, whenFalse) && tested != operation && FactOf(tested, state) is { } values
                ? Condition.Outcome(values, whenTrue, whenFalse)
                : null,
        };
    }

    /// <summary>Gets the knowledge about a variable that receives the value of an operation: its possible values, or the condition that decides them.</summary>
    private Fact? KnowledgeOf(IOperation value)
    {
        var values = FactOf(value, _state);
        return values?.Single is null && IsBoolean(value.Type) && ConditionOf(value) is { } condition
            ? new Fact(values ?? ValueSet.Booleans, Origin: _state.OriginOf(condition))
            : Fact.Of(values);
    }

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
        ICompoundAssignmentOperation { OperatorMethod: null, OperatorKind: BinaryOperatorKind.Add } sum when IsWhole(sum.Target.Type) && FactOf(sum.Value, _state)?.Single is > 0 and <= long.MaxValue and var step =>
            Above(FactOf(sum.Target, _state), step),
        IIncrementOrDecrementOperation { OperatorMethod: null, Kind: OperationKind.Increment } count when IsWhole(count.Target.Type) => Above(FactOf(count.Target, _state), 1),
        _ => null,
    };

    // Null stays null, and a number stays a number.
    private static ValueSet? Above(ValueSet? values, decimal step) => values is { Ranges: [var (least, _), ..] } && least is >= long.MinValue and <= long.MaxValue
        ? ValueSet.AtLeast(least + step).Union(values.Intersect(ValueSet.Null))
        : values == ValueSet.NotNull ? values : null;

    /// <summary>Gets the facts about the variables that a deconstruction assigns, element by element.</summary>
    private IEnumerable<(IOperation Target, Fact? Fact)> FactsOf(IOperation target, IOperation value) => (target, value) switch
    {
        (IDeclarationExpressionOperation declaration, _) when declaration.Expression is ITupleOperation => FactsOf(declaration.Expression, value),
        (_, IConversionOperation { OperatorMethod: null } conversion) when target is ITupleOperation => FactsOf(target, conversion.Operand),
        (ITupleOperation targets, ITupleOperation values) => targets.Elements.Zip(values.Elements, FactsOf).SelectMany(static facts => facts),
        _ => [(target, Fact.Of(FactOf(value, _state)))],
    };

    private static bool IsNull(IOperation value) =>
        value.ConstantValue is { HasValue: true, Value: null } || (value is IConversionOperation { OperatorMethod: null } conversion && IsNull(conversion.Operand));

    private static IOperation Unboxed(IOperation operation) => operation is IConversionOperation { OperatorMethod: null, Type.IsValueType: false } boxing ? boxing.Operand : operation;

    // A conversion to a smaller type may change the number.
    private static bool KeepsValue(IConversionOperation conversion) =>
        conversion.OperatorMethod is null
        && KindOf(conversion.Type) is not SpecialType.None and var kind && kind == KindOf(conversion.Operand.Type)
        && (conversion.IsImplicit || Underlying(conversion.Type) == Underlying(conversion.Operand.Type));

    /// <summary>Gets the variable or the compiler temporary whose values are remembered for an operation; null for other operations.</summary>
    private object? Remembered(IOperation operation)
    {
        var bare = operation is IConversionOperation { OperatorMethod: null, IsTryCast: false } conversion
            && (KindOf(conversion.Type) is SpecialType.None or SpecialType.System_String || KeepsValue(conversion)) ? conversion.Operand : operation;
        if (bare is IFlowCaptureReferenceOperation capture)
        {
            return scope.CopiedBy(capture.Id) is { } copied ? Remembered(copied) : scope.IsTarget(capture.Id) ? null : capture.Id;
        }

        var isVariable = bare is ILocalReferenceOperation or IParameterReferenceOperation or IFieldReferenceOperation { Field.RefKind: RefKind.None } or IPropertyReferenceOperation;
        return (isVariable ? scope.FlagOf(bare) : null) switch
        {
            IFieldSymbol { IsVolatile: true } or MemberPath { Member: IFieldSymbol { IsVolatile: true } } => null,
            ISymbol symbol => !IsCount(bare.Type) || scope.IsTested(symbol) ? symbol : null,
            MemberPath path => LifetimeScope.IsFlag(bare.Type) ? path : null,
            _ => null,
        };
    }

    private static bool IsCount(ITypeSymbol? type) => KindOf(type) is SpecialType.System_Int64 or SpecialType.System_Double && !IsNullable(type);

    // Without a comparison, only null and blank texts are told apart from the other numbers and texts.
    private static Fact? Untested(Fact? fact, ITypeSymbol? type) => KindOf(type) is SpecialType.None or SpecialType.System_Boolean ? fact
        : fact is null || IsCount(type) ? null
        : fact.Values == ValueSet.Null ? fact
        : !fact.Values.Intersect(ValueSet.Null).IsEmpty ? null
        : KindOf(type) != SpecialType.System_String ? new Fact(ValueSet.NotNull)
        : ValueSet.Blank.Includes(fact.Values) ? fact
        : new Fact(ValueSet.NotBlank.Includes(fact.Values) ? ValueSet.NotBlank : ValueSet.NotNull);

    /// <summary>Sets the knowledge about an assigned variable; null if there is none.</summary>
    private void Learn(IOperation target, Fact? fact)
    {
        switch (scope.FlagOf(scope.Untargeted(target)))
        {
            case ISymbol symbol:
                _state = _state.Learn(symbol, scope.IsTested(symbol) ? fact : Untested(fact, TypeOf(symbol)));
                break;
            case MemberPath path when LifetimeScope.IsFlag(TypeOf(path)):
                _state = _state.Learn(path, fact);
                break;
        }
    }
}
