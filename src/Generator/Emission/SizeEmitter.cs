using System.Globalization;
using BufferedMessages.Generator.Model;

namespace BufferedMessages.Generator.Emission;

/// <summary>Emits the code that adds up the payloads of a message. Members without a payload add nothing.</summary>
internal sealed class SizeEmitter(SourceWriter code)
{
    /// <summary>Emits the statements for one member.</summary>
    public void Member(EmittedMember member)
    {
        var source = "source." + member.Model.Identifier;
        switch (member.Kind)
        {
            case ValueKind or NullableKind:
                break;
            case StringKind:
                code.Line($"size.AddString({source});");
                break;
            case MessageKind message:
                code.Line($"size.AddMessage<{RuntimeNames.SourceAndBlockOf(message)}>({source}, depth);");
                break;
            default:
                IfPresent(member.Kind, source, member.Names.Local, level: 1);
                break;
        }
    }

    private void IfPresent(MemberKind kind, string source, string local, int level)
    {
        var pattern = CollectionCode.PresencePattern(kind);
        if (pattern is null && !CollectionCode.DeclaresLocals(kind))
        {
            Present(kind, source, level);
            return;
        }

        using (code.Block(pattern is null ? "" : $"if ({source} is {pattern} {local})"))
        {
            Present(kind, pattern is null ? source : local, level);
        }
    }

    private void Present(MemberKind kind, string value, int level)
    {
        switch (kind)
        {
            case BinaryKind:
                code.Line($"size.AddBinary({RuntimeNames.Elements}({value}));");
                break;
            case ListKind list:
                List(list.Element, value, level);
                break;
        }
    }

    private void List(MemberKind element, string value, int level)
    {
        var elements = $"{RuntimeNames.Elements}({value})";
        switch (element)
        {
            case ValueKind:
                code.Line($"size.AddValues({elements});");
                break;
            case NullableKind:
                code.Line($"size.AddNullables({elements});");
                break;
            case StringKind:
                code.Line($"size.AddStrings({elements});");
                break;
            case MessageKind message:
                code.Line($"size.AddMessages<{RuntimeNames.SourceAndBlockOf(message)}>({elements}, depth);");
                break;
            default:
                code.Line($"var {Local("elements", level)} = {elements};");
                code.Line($"size.AddSlots({Local("elements", level)}.Length);");
                Each(element, level, item => Present(element, item, level + 1));
                break;
        }
    }

    private void Each(MemberKind element, int level, Action<string> emit)
    {
        var variable = Local("element", level);
        using (code.Block($"foreach (ref readonly var {variable} in {Local("elements", level)})"))
        {
            if (CollectionCode.PresencePattern(element) is not { } pattern)
            {
                emit(variable);
                return;
            }

            var item = Local("item", level);
            using (code.Block($"if ({variable} is {pattern} {item})"))
            {
                emit(item);
            }
        }
    }

    // Locals of inner lists must not hide those of outer ones.
    private static string Local(string name, int level) => level == 1 ? name : name + level.ToString(CultureInfo.InvariantCulture);
}
