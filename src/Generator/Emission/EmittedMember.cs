using BufferedMessages.Generator.Layout;
using BufferedMessages.Generator.Model;

namespace BufferedMessages.Generator.Emission;

/// <summary>A member with all that the emitters need of it.</summary>
internal sealed record EmittedMember(MemberModel Model, MemberPlace Place, MemberNames Names)
{
    public MemberKind Kind => Model.Kind;

    /// <summary>The padding argument of the writer's methods; empty if there is no padding.</summary>
    public string PaddingArgument => Padding.Count == 0 ? "" : ", " + Names.Padding;

    /// <summary>The padding of the struct that the member, or the innermost element of its lists, is.</summary>
    public EquatableArray<ushort> Padding => PaddingOf(Kind);

    public static IReadOnlyList<EmittedMember> Of(MessagePlan plan)
    {
        var names = MemberNames.Of(plan.Message.Members, plan.Message.LayoutName);
        return [.. plan.Message.Members.Select((member, ordinal) => new EmittedMember(member, plan.Layout.Members[ordinal], names[ordinal]))];
    }

    private static EquatableArray<ushort> PaddingOf(MemberKind kind) => kind switch
    {
        ValueKind value => value.Padding,
        NullableKind nullable => nullable.Value.Padding,
        ListKind list => PaddingOf(list.Element),
        _ => default,
    };
}
