using System.Globalization;
using BufferedMessages.Generator.Layout;
using BufferedMessages.Generator.Model;

namespace BufferedMessages.Generator.Emission;

/// <summary>A member with everything that emitters need.</summary>
/// <param name="Block">The type that defines the layout of the block.</param>
/// <param name="Model">The member.</param>
/// <param name="Place">Its place in the block.</param>
/// <param name="Names">The names of the generated declarations that belong to it.</param>
internal sealed record EmittedMember(string Block, MemberModel Model, MemberPlace Place, MemberNames Names)
{
    public MemberKind Kind => Model.Kind;

    /// <summary>Gets the padding argument of the writer's methods; empty if there is no padding.</summary>
    public string PaddingArgument => PaddingType.Length == 0 ? "" : $", {PaddingType}.Pairs";

    /// <summary>Gets the storage of the elements of its lists, sets and dictionaries.</summary>
    public StorageTypes Storage => new(PaddingType);

    /// <summary>Gets the member's place as method arguments: its offset, and its presence bit if it has one.</summary>
    public string PlaceArguments => Place.PresenceBit is { } bit ? $"{Number(Place.Offset)}, presenceBit: {Number(bit)}" : Number(Place.Offset);

    /// <summary>Gets the padding of a struct: the member, or the innermost element of its lists and dictionaries.</summary>
    public EquatableArray<ushort> Padding => Kind.Innermost() switch
    {
        ValueKind value => value.Padding,
        NullableKind nullable => nullable.Value.Padding,
        _ => default,
    };

    private string PaddingType => Padding.Count == 0 ? "" : $"{Block}.{Names.Padding}";

    public static IReadOnlyList<EmittedMember> Of(MessagePlan plan)
    {
        var places = plan.Layout.Members.Zip(plan.Message.Ordinals(), static (place, ordinal) => (Place: place, ordinal.Member)).Where(static pair => pair.Member is not null);
        return [.. places.Zip(GeneratedNames.OfMembers(plan.Message.Members.Select(static member => member.Name)), (pair, names) => new EmittedMember(plan.Message.Block, pair.Member!, pair.Place, names))];
    }

    private static string Number(int value) => value.ToString(CultureInfo.InvariantCulture);
}
