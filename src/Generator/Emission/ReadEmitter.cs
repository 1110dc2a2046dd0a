using BufferedMessages.Generator.Model;

namespace BufferedMessages.Generator.Emission;

/// <summary>Emits the code that makes an object of a message.</summary>
internal sealed class ReadEmitter(SourceWriter code, MessageModel message, IReadOnlyList<EmittedMember> members)
{
    /// <summary>Emits the body of the method.</summary>
    public void Body()
    {
        if (message.Constructor is not { } constructor)
        {
            code.Line($"throw new global::System.NotSupportedException(\"No constructor of '{message.FullName}' takes stored members only, so that no object can be made.\");");
            return;
        }

        using (code.Block("if (block.IsNull)"))
        {
            code.Line("return null;");
        }

        foreach (var member in members.Where(static member => member.Model.Restore != MemberRestore.None))
        {
            code.Line($"var {member.Names.Local} = {Read(member.Kind, "reader", $"block, {member.Names.Offset}", member.Names)};");
        }

        Construct($"{message.Type}({string.Join(", ", constructor.Arguments.Select(ordinal => Value(members[ordinal])))})");
    }

    private void Construct(string creation)
    {
        var required = members.Where(static member => member.Model.IsRequired).ToList();
        var fresh = required.Count == 0
            ? $"new {creation}"
            : $"new {creation} {{ {string.Join(", ", required.Select(member => $"{member.Model.Identifier} = {Value(member)}"))} }}";
        var assigned = members.Where(static member => member.Model.Restore == MemberRestore.Assignment).ToList();
        Create(creation, fresh, assigned.Count == 0 ? "return" : "var result =");
        if (assigned.Count == 0)
        {
            return;
        }

        foreach (var member in assigned)
        {
            Assign(member);
        }

        code.Line("return result;");
    }

    private void Create(string creation, string fresh, string target)
    {
        var initialized = members.Where(static member => member.Model.Restore == MemberRestore.Initializer).ToList();
        if (initialized.Count == 0)
        {
            code.Line($"{target} new {creation};");
            return;
        }

        using (code.Block($"{target} new {creation}", ";"))
        {
            foreach (var member in initialized)
            {
                code.Line($"{member.Model.Identifier} = {Initializer(member, fresh)},");
            }
        }
    }

    // A fresh object is made only to ask for the value of an initializer, when the message has null.
    private static string Initializer(EmittedMember member, string fresh)
    {
        var (local, value) = (member.Names.Local, Value(member));
        if (!member.Model.KeepsInitializer)
        {
            return value;
        }

        return string.Equals(local, value, StringComparison.Ordinal)
            ? $"{local} ?? {fresh}.{member.Model.Identifier}"
            : $"{local} is null ? {fresh}.{member.Model.Identifier} : {value}";
    }

    private void Assign(EmittedMember member)
    {
        var assignment = $"result.{member.Model.Identifier} = {Value(member)};";
        if (!member.Model.KeepsInitializer)
        {
            code.Line(assignment);
            return;
        }

        using (code.Block($"if ({member.Names.Local} is not null)"))
        {
            code.Line(assignment);
        }
    }

    private static string Value(EmittedMember member) => Converted(member.Kind, member.Names.Local);

    private static string Converted(MemberKind kind, string value) => kind switch
    {
        BinaryKind binary => CollectionCode.FromArray(binary.Shape, value),
        ListKind list => CollectionCode.FromArray(list.Shape, value),
        MessageKind { Form: MessageForm.Value } => value + ".GetValueOrDefault()",
        _ => value,
    };

    // The slot is the block or slot array and the offset in it, as two arguments.
    private static string Read(MemberKind kind, string reader, string slot, MemberNames names) => kind switch
    {
        ValueKind value => $"block.Read<{value.Type}>({names.Offset})",
        NullableKind nullable => $"block.ReadNullable<{nullable.Value.Type}>({names.Offset}, {names.Presence})",
        StringKind => $"{reader}.ReadString({slot})",
        BinaryKind => $"{reader}.ReadBinary({slot})",
        MessageKind message => $"{reader}.ReadMessage({slot}, {RuntimeNames.BlockOf(message.Type)}.Read)",
        ListKind list => ReadList(list.Element, reader, slot, names),
        _ => throw new ArgumentOutOfRangeException(nameof(kind), kind, message: null),
    };

    private static string ReadList(MemberKind element, string reader, string slot, MemberNames names) => element switch
    {
        ValueKind value => $"{reader}.ReadValues<{value.Type}>({slot})",
        NullableKind nullable => $"{reader}.ReadNullables<{nullable.Value.Type}>({slot})",
        StringKind => $"{reader}.ReadStrings({slot})",
        MessageKind { Form: MessageForm.Value } message =>
            $"{reader}.ReadMessages({slot}, static (ref {RuntimeNames.ObjectReader} r, {RuntimeNames.BlockReader} b) => {RuntimeNames.BlockOf(message.Type)}.Read(ref r, b).GetValueOrDefault())",
        MessageKind message => $"{reader}.ReadMessages({slot}, {RuntimeNames.BlockOf(message.Type)}.Read)",
        _ => $"{reader}.ReadList({slot}, static (ref {RuntimeNames.ObjectReader} r, {RuntimeNames.BlockReader} s, int at) => {Element(element, Converted(element, Read(element, "r", "s, at", names)))})",
    };

    // A list of arrays is no list of what arrays implement.
    private static string Element(MemberKind kind, string value) => kind is ListKind { Interface: { } type } ? $"({type}?){value}" : value;
}
