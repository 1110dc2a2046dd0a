using System.Globalization;
using BufferedMessages.Generator.Model;
using BufferedMessages.Wire;

namespace BufferedMessages.Generator.Emission;

/// <summary>The emitter of the method of a view that verifies the members of its block: one line for each member that can break a rule.</summary>
internal sealed class VerifyEmitter(SourceWriter code, MessagePlan plan, IReadOnlyList<EmittedMember> members)
{
    /// <summary>Emits the method.</summary>
    public void Emit()
    {
        var remains = BlockRemains.Of(plan.Layout.BlockBytes, members.Select(static member => (member.Place.Offset, member.Place.Size, member.Place.PresenceBit)));
        var checks = members.Select(Check).OfType<string>().Concat(remains.Select(Remains)).ToList();
        if (plan.Message.UsesObsolete)
        {
            code.Line(RuntimeNames.Obsolete);
        }

        code.Line($"static bool {RuntimeNames.VerifiedBlock}.Verify(ref {RuntimeNames.Verifier} verifier, {RuntimeNames.BlockReader} block) =>");
        code.Line($"    verifier.Block(block, {Number(plan.Layout.BlockBytes)}){(checks.Count == 0 ? ";" : "")}");
        for (var i = 0; i < checks.Count; i++)
        {
            code.Line($"    && verifier.{checks[i]}{(i == checks.Count - 1 ? ";" : "")}");
        }
    }

    private static string Remains(BlockRemains remains) =>
        remains.Mask is { } mask
            ? $"UnusedBits(block, {Number(remains.Offset)}, 0x{mask.ToString("x2", CultureInfo.InvariantCulture)})"
            : $"Hole(block, {Number(remains.Offset)}, {Number(remains.Bytes)})";

    private static string? Check(EmittedMember member)
    {
        var arguments = $"(block, {member.PlaceArguments}, \"{member.Model.Name}\"{member.PaddingArgument})";
        var kind = member.Kind.Stored();
        return kind switch
        {
            ValueKind { IsChecked: true } value => $"Value<{value.Type}>{arguments}",
            ValueKind { Padding.Count: > 0 } value => $"Padding<{value.Type}>{arguments}",
            ValueKind => null,
            NullableKind nullable => $"Nullable<{nullable.Value.Type}>{arguments}",
            MessageKind message => $"Message<{message.View}>{arguments}",
            _ => $"Payload<{ViewEmitter.ElementType(kind)}>{arguments}",
        };
    }

    private static string Number(int value) => value.ToString(CultureInfo.InvariantCulture);
}
