using System.Globalization;
using BufferedMessages.Generator.Model;
using BufferedMessages.Wire;

namespace BufferedMessages.Generator.Emission;

/// <summary>Emits the code that writes the members of a message.</summary>
internal sealed class WriteEmitter(SourceWriter code)
{
    /// <summary>Emits the statements for one member.</summary>
    public void Member(EmittedMember member)
    {
        var source = "source." + member.Model.Identifier;
        switch (member.Kind)
        {
            case ValueKind:
                code.Line($"values.Write({member.PlaceArguments}, {source}{member.PaddingArgument});");
                break;
            case NullableKind:
                code.Line($"values.WriteNullable({member.PlaceArguments}, {source}{member.PaddingArgument});");
                break;
            case StringKind:
                code.Line($"writer.WriteString(block, {member.PlaceArguments}, {source});");
                break;
            case MessageKind message:
                code.Line($"writer.WriteMessage<{RuntimeNames.SourceAndBlockOf(message)}>(block, {member.PlaceArguments}, {source}, depth);");
                break;
            default:
                IfPresent(member, source);
                break;
        }
    }

    private void IfPresent(EmittedMember member, string source)
    {
        var pattern = CollectionCode.PresencePattern(member.Kind);
        if (pattern is null && !CollectionCode.DeclaresLocals(member.Kind))
        {
            Present(member.Kind, source, $"block, {member.PlaceArguments}", member.PaddingArgument, level: 1);
            return;
        }

        using (code.Block(pattern is null ? "" : $"if ({source} is {pattern} {member.Names.Local})"))
        {
            Present(member.Kind, pattern is null ? source : member.Names.Local, $"block, {member.PlaceArguments}", member.PaddingArgument, level: 1);
        }
    }

    // The slot is the container's position and the slot's offset in it, as two arguments.
    private void Present(MemberKind kind, string value, string slot, string padding, int level)
    {
        switch (kind)
        {
            case StringKind:
                code.Line($"writer.WriteString({slot}, {value});");
                break;
            case BinaryKind:
                code.Line($"writer.WriteBinary({slot}, {RuntimeNames.Elements}({value}));");
                break;
            case ListKind list:
                List(list.Element, $"{RuntimeNames.Elements}({value})", slot, padding, level);
                break;
        }
    }

    private void List(MemberKind element, string elements, string slot, string padding, int level)
    {
        switch (element)
        {
            case ValueKind:
                code.Line($"writer.WriteValues({slot}, {elements}{padding});");
                break;
            case NullableKind:
                code.Line($"writer.WriteNullables({slot}, {elements}{padding});");
                break;
            case StringKind:
                code.Line($"writer.WriteStrings({slot}, {elements});");
                break;
            case MessageKind message:
                code.Line($"writer.WriteMessages<{RuntimeNames.SourceAndBlockOf(message)}>({slot}, {elements}, depth);");
                break;
            default:
                Slots(element, elements, slot, padding, level);
                break;
        }
    }

    private void Slots(MemberKind element, string elements, string slot, string padding, int level)
    {
        var (local, slots, i) = (Local("elements", level), Local("slots", level), Local("i", level));
        code.Line($"var {local} = {elements};");
        code.Line($"var {slots} = writer.WriteSlots({slot}, {local}.Length);");
        var elementSlot = string.Format(CultureInfo.InvariantCulture, "{0}, {1} * {2}", slots, i, WireFormat.SlotBytes);
        Each(element, level, item => Present(element, item, elementSlot, padding, level + 1));
    }

    private void Each(MemberKind element, int level, Action<string> emit)
    {
        var (elements, i, item) = (Local("elements", level), Local("i", level), Local("item", level));
        using (code.Block($"for (var {i} = 0; {i} < {elements}.Length; {i}++)"))
        {
            if (CollectionCode.PresencePattern(element) is not { } pattern)
            {
                emit($"{elements}[{i}]");
                return;
            }

            using (code.Block($"if ({elements}[{i}] is {pattern} {item})"))
            {
                emit(item);
            }
        }
    }

    // Locals of inner lists must not hide those of outer ones.
    private static string Local(string name, int level) => level == 1 ? name : name + level.ToString(CultureInfo.InvariantCulture);
}
