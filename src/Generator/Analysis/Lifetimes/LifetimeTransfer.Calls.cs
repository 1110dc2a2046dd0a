using System.Collections.Immutable;
using System.Numerics;
using BufferedMessages.Generator.Parsing;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace BufferedMessages.Generator.Analysis;

/// <content>Calls: the lifetimes that they end, the holders that they create, and the holders that their results depend on.</content>
internal sealed partial class LifetimeTransfer
{
    private Holding EvaluateCall(IInvocationOperation call, bool isReference)
    {
        var use = new MemberUse(call, call.TargetMethod, call.Instance, call.Arguments);
        if (types.EffectOnArgument(call) is { Argument: { } argument, Effect: var effect })
        {
            var (receiver, arguments) = EvaluateArguments(call.Instance, call.Arguments);
            NoteThrow();
            End(effect, arguments[call.Arguments.IndexOf(argument)], NameOf(argument.Value), call);
            return ResultOf(use, call, call.Type, receiver, arguments);
        }

        return EvaluateMember(use, isReference);
    }

    private Holding EvaluateCreation(IObjectCreationOperation creation, IMethodSymbol constructor)
    {
        var result = EvaluateMember(new MemberUse(creation, constructor, Instance: null, creation.Arguments), isReference: false);
        if (creation.Initializer is { } initializer)
        {
            Evaluate(initializer);
        }

        return result;
    }

    private Holding EvaluateMember(MemberUse use, bool isReference)
    {
        var (receiver, arguments) = EvaluateArguments(use.Instance, use.Arguments);
        var isForeign = use.IsForeign;
        if (isForeign)
        {
            LearnFlagsOf(use.Member);
        }

        NoteThrow();
        _returns = _returns && use.Returns;
        RequireOpen(use, receiver);
        if (use.Operation is IInvocationOperation call)
        {
            var effect = LifetimeTypes.EffectOf(receiver.Role, call.TargetMethod.Name);
            var ended = effect == LifetimeEffect.CommitThrough ? arguments.FirstOrDefault() : receiver;
            End(effect, ended, use.Instance is null ? "" : NameOf(use.Instance), call);
        }

        if (isForeign)
        {
            ForgetShared();
        }

        ForgetPathsOf(use);

        var result = ResultOf(use, use.Operation, isReference && types.RoleOf(use.Operation.Type) == LifetimeRole.None ? null : use.Operation.Type, receiver, arguments);
        AssignOuts(use, receiver, arguments);
        return result;
    }

    private (Holding Receiver, ImmutableArray<Holding> Arguments) EvaluateArguments(IOperation? instance, ImmutableArray<IArgumentOperation> arguments)
    {
        var receiver = instance is null ? default : Evaluate(instance);
        var values = ImmutableArray.CreateBuilder<Holding>(arguments.Length);
        foreach (var argument in arguments)
        {
            var isOut = argument.Parameter?.RefKind == RefKind.Out && scope.VariableOf(argument.Value) is not null;
            values.Add(isOut ? default : Evaluate(argument.Value, isReference: argument.Parameter is { RefKind: not RefKind.None }));
        }

        return (receiver, values.MoveToImmutable());
    }

    // A closed source throws a clear exception itself. Its messages are tracked one by one.
    private void RequireOpen(MemberUse use, Holding receiver)
    {
        if (receiver is { Role: LifetimeRole.Delivery or LifetimeRole.Holder or LifetimeRole.Part, Closed: { } closing } && !use.IsAlwaysAllowed)
        {
            var isClosing = LifetimeTypes.EffectOf(receiver.Role, use.Member.Name) == LifetimeEffect.Close;
            findings.Add(scope.VariableOf(use.Instance!) ?? use.Operation, closing, isClosing ? LateUse.ClosingMember : LateUse.Member, use.Operation.Syntax);
        }
    }

    // A pattern asks the value that it is for.
    private void RequireOpen(IPatternOperation pattern, Holding value)
    {
        foreach (var part in pattern.DescendantsAndSelf().OfType<IPropertySubpatternOperation>())
        {
            if (part is { Member: IPropertyReferenceOperation property, Parent: { } around } && IsOfWhole(around))
            {
                RequireOpen(new MemberUse(property, property.Property, property.Instance, property.Arguments), value);
            }
        }
    }

    /// <summary>Applies the end of a lifetime by a call.</summary>
    private void End(LifetimeEffect effect, Holding ended, string name, IInvocationOperation call)
    {
        var holders = ended.Role == LifetimeRole.Loop ? ended.From & scope.Consumers : ended.Self;
        if (effect == LifetimeEffect.None || holders.IsZero)
        {
            return;
        }

        var (after, before) = TextOf(effect, ended.Role, name, call);
        var rule = ended.Role == LifetimeRole.Memory ? Rules.UseAfterGivenBack : Rules.UseAfterClose;
        var closing = new Closing(call.Syntax.SpanStart, after, before, rule);
        _state = effect == LifetimeEffect.Advance ? _state.Advance(holders, closing) : _state.Close(holders, closing);
    }

    private static (string After, string Before) TextOf(LifetimeEffect effect, LifetimeRole role, string name, IInvocationOperation call)
    {
        var method = call.TargetMethod.Name;
        var before = $"'{(call.Instance is null ? call.TargetMethod.ContainingType.Name : LifetimeFindings.TextOf(call.Instance.Syntax))}.{method}'";
        return (effect, role) switch
        {
            (_, LifetimeRole.Loop or LifetimeRole.Enumeration) when method is "Dispose" or "DisposeAsync" => ($"the loop over '{name}' ended", "the loop ends"),
            (_, LifetimeRole.Loop or LifetimeRole.Enumeration) => ($"the loop over '{name}' advanced", "the loop advances"),
            (LifetimeEffect.CommitThrough, _) => ("its message was committed", before),
            (LifetimeEffect.Advance, LifetimeRole.Stream) => ($"'{name}' was changed", before),
            (LifetimeEffect.Advance, _) => ($"'{name}' advanced", before),
            _ when call.IsImplicit => ($"'{name}' was disposed", $"the end of the 'using' of '{name}'"),
            _ when method == "Return" => ($"'{name}' was returned to its pool", before),
            _ when method.StartsWith("Dispose", StringComparison.Ordinal) => ($"'{name}' was disposed", before),
            _ => ($"'{name}' was closed", before),
        };
    }

    private static string NameOf(IOperation operation) => operation switch
    {
        IConversionOperation conversion => NameOf(conversion.Operand),
        ILocalReferenceOperation local => local.Local.Name,
        _ => LifetimeFindings.TextOf(operation.Syntax),
    };

    /// <summary>Gets the facts about a call's result.</summary>
    /// <param name="use">The call.</param>
    /// <param name="place">The place of the result: the call, or an argument that is assigned.</param>
    /// <param name="type">The type of the result; null for a reference to a value.</param>
    /// <param name="receiver">The facts about its receiver.</param>
    /// <param name="arguments">The arguments.</param>
    private Holding ResultOf(MemberUse use, IOperation place, ITypeSymbol? type, Holding receiver, ImmutableArray<Holding> arguments)
    {
        var source = use.Instance is null && !arguments.IsEmpty ? arguments[0] : receiver;
        var role = type is null ? LifetimeRole.View : types.RoleOf(type);
        switch (role)
        {
            case LifetimeRole.None:
                return receiver.Role == LifetimeRole.Delivery && use.Member.Name == "Position" ? receiver with { Role = LifetimeRole.Position, Closed = null } : default;
            case LifetimeRole.View:
                var view = use.IsKnown ? source.AsView() : CommonOf(use, receiver, arguments);
                return view with { Closed = null, IsMessage = view.IsMessage || types.IsMessage(type) };
            case LifetimeRole.Loop:
                return source.Role is LifetimeRole.Consumer or LifetimeRole.Loop ? new Holding(role, BigInteger.Zero, source.All) : default;
            case var _ when source.Role == role && types.IsWrapper((use.Instance ?? use.Arguments[0].Value).Type):
                return source;
            default:
                return Make(place, role, IsParent(source.Role, role) || IsBuilder(use) ? source.All : BigInteger.Zero);
        }
    }

    // The end of the receiver ends the result, or the views that the result yields.
    private static bool IsParent(LifetimeRole parent, LifetimeRole child) => (parent, child) switch
    {
        (LifetimeRole.Consumer or LifetimeRole.Loop, LifetimeRole.Delivery) => true,
        (LifetimeRole.Queue, LifetimeRole.Consumer) => true,
        (LifetimeRole.Stream or LifetimeRole.Enumeration, LifetimeRole.Part) => true,
        _ => false,
    };

    // A builder writes to the memory that its constructor receives.
    private static bool IsBuilder(MemberUse use) => use.Operation is IObjectCreationOperation && LifetimeTypes.IsProduct(use.Member);

    /// <summary>
    /// Gets the holders that the result of an unknown method certainly depends on: those common to all views that it receives and may return. By the
    /// compiler's rules it cannot return a scoped parameter.
    /// </summary>
    private Holding CommonOf(MemberUse use, Holding receiver, ImmutableArray<Holding> arguments)
    {
        var views = new List<Holding>();
        if (types.RoleOf(use.Instance?.Type) == LifetimeRole.View ? !MemberUse.TakesScoped(use.Member) : !receiver.IsEmpty && MemberUse.TakesReference(use.Member))
        {
            views.Add(receiver.AsView());
        }

        for (var i = 0; i < arguments.Length; i++)
        {
            if (use.Arguments[i].Parameter is { RefKind: not RefKind.Out, ScopedKind: ScopedKind.None } parameter
                && (types.RoleOf(parameter.Type) == LifetimeRole.View || (parameter.RefKind != RefKind.None && !arguments[i].IsEmpty)))
            {
                views.Add(arguments[i].AsView());
            }
        }

        return views.Count == 0 ? default : views.Aggregate(static (common, view) => common with { From = common.From & view.From, IsMessage = common.IsMessage || view.IsMessage });
    }

    private void AssignOuts(MemberUse use, Holding receiver, ImmutableArray<Holding> arguments)
    {
        foreach (var argument in use.Arguments)
        {
            if (argument.Parameter?.RefKind is not (RefKind.Out or RefKind.Ref))
            {
                continue;
            }

            ForgetPathsOf(argument.Value);
            Learn(argument.Value, null);
            if (scope.VariableOf(argument.Value) is not { } variable || IsReferenceToValue(variable, argument.Value.Type))
            {
                continue;
            }

            var value = ResultOf(use, argument, argument.Value.Type, receiver, arguments);
            Assign(variable, value, argument.Value.Type, argument);
        }

        if (use is { Instance: { } instance, MayAssignReceiver: true } && scope.VariableOf(scope.Uncopied(instance)) is { } assigned && !IsReferenceToValue(assigned, instance.Type))
        {
            Assign(assigned, ResultOf(use, instance, instance.Type, receiver, arguments), instance.Type, instance);
            Learn(scope.Uncopied(instance), null);
        }
    }

    // An exception of the member counts as one after its assignments.
    private void LearnFlagsOf(ISymbol member)
    {
        foreach (var (flag, values) in scope.FlagsAssignedBy(member))
        {
            _state = _state.Doubt(flag, values);
        }
    }

    /// <summary>Forgets the variables that other code, which has run, may have assigned.</summary>
    private void ForgetShared()
    {
        foreach (var variable in _state.Variables.Where(scope.IsShared).ToList())
        {
            ForgetVariable(variable);
        }

        _state = _state.Doubt(_state.Known.Where(variable => scope.IsShared(variable) || variable is ILocalSymbol { IsRef: true } or IParameterSymbol { RefKind: not RefKind.None }));
    }

    private void ForgetVariable(object variable)
    {
        var (current, former) = scope.HoldersOf(variable, LifetimeRole.None);
        _state = _state.With(variable, default);
        _state = variable is MemberPath ? _state.Renew(current, former) : _state.Forget(current | former);
    }

    /// <summary>Forgets the paths that lead through an assigned member, of any object.</summary>
    private void ForgetPathsOf(IOperation assigned)
    {
        if (scope.HasPaths && scope.Untargeted(assigned) is IMemberReferenceOperation { Member: var member })
        {
            ForgetPaths(path => path.Has(member));
        }
    }

    // A member may change the struct that it is used on. An object that other code receives may change there, even if the code is called by an interface of the framework.
    private void ForgetPathsOf(MemberUse use)
    {
        if (!scope.HasPaths || use.IsReadOnly)
        {
            return;
        }

        if (use.Instance is { Type.IsReferenceType: false } changed && types.RoleOf(changed.Type) == LifetimeRole.None)
        {
            ForgetPathsOf(changed);
        }

        foreach (var value in use.Arguments.Select(static argument => (IOperation?)argument.Value).Append(use.Instance))
        {
            var bare = value is IConversionOperation { OperatorMethod: null } conversion ? conversion.Operand : value;
            if (bare is { Type: { } type } && scope.VariableOf(scope.Uncopied(bare)) is ISymbol part && (type.IsReferenceType || value == use.Instance))
            {
                ForgetPaths(path => path.Has(part) && (scope.IsShared(path) || !type.IsReferenceType), isAssigned: false);
            }
        }
    }

    private void ForgetPaths(Func<MemberPath, bool> condition, bool isAssigned = true)
    {
        foreach (var path in _state.Variables.OfType<MemberPath>().Where(condition).ToList())
        {
            ForgetVariable(path);
        }

        var flags = _state.Known.OfType<MemberPath>().Where(condition);
        _state = isAssigned ? _state.Unlearn(flags) : _state.Doubt(flags);
    }
}
