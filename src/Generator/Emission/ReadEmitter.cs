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

        var restored = members.Where(static member => member.Model.Restore != MemberRestore.None).ToList();
        if (restored.Count != 0 && restored.TrueForAll(static member => member.Model.Restore == MemberRestore.Assignment))
        {
            code.Line($"var result = new {message.Type}();");
            restored.ForEach(ReadAndAssign);
            code.Line("return result;");
            return;
        }

        foreach (var member in restored)
        {
            ReadToLocal(member);
        }

        Construct($"{message.Type}({string.Join(", ", constructor.Arguments.Select(ordinal => Value(members[ordinal])))})");
    }

    // Payloads are read in the order of the members, so that where all members are assigned, none needs to wait for another one.
    private void ReadAndAssign(EmittedMember member)
    {
        if (member.Model.KeepsInitializer)
        {
            ReadToLocal(member);
            Assign(member);
        }
        else
        {
            code.Line($"result.{member.Model.Identifier} = {Converted(member.Kind, Read(member))};");
        }
    }

    private void ReadToLocal(EmittedMember member) => code.Line($"var {member.Names.Local} = {Read(member)};");

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

    private static string Read(EmittedMember member) => member.Kind switch
    {
        ValueKind value => $"block.Read<{value.Type}>({member.PlaceArguments})",
        NullableKind nullable => $"block.ReadNullable<{nullable.Value.Type}>({member.PlaceArguments})",
        _ => ReadPayload(member.Kind, "reader", "block, " + member.PlaceArguments),
    };

    // The slot is the block or slot array and the offset in it, as two arguments.
    private static string ReadPayload(MemberKind kind, string reader, string slot) => kind switch
    {
        StringKind => $"{reader}.ReadString({slot})",
        BinaryKind => $"{reader}.ReadBinary({slot})",

        // A struct is read as one that may be null: a member's initializer stays when the message has null.
        MessageKind { Form: MessageForm.Reference } message => $"{reader}.ReadMessage<{RuntimeNames.SourceAndBlockOf(message)}>({slot})",
        MessageKind message => $"{reader}.ReadMessage<{RuntimeNames.NullableAndBlockOf(message.Type)}>({slot})",
        ListKind list => ReadList(list.Element, reader, slot),
        _ => throw new ArgumentOutOfRangeException(nameof(kind), kind, message: null),
    };

    private static string ReadList(MemberKind element, string reader, string slot) => element switch
    {
        ValueKind value => $"{reader}.ReadValues<{value.Type}>({slot})",
        NullableKind nullable => $"{reader}.ReadNullables<{nullable.Value.Type}>({slot})",
        StringKind => $"{reader}.ReadStrings({slot})",
        MessageKind message => $"{reader}.ReadMessages<{RuntimeNames.SourceAndBlockOf(message)}>({slot})",
        _ => $"{reader}.ReadList({slot}, static (ref {RuntimeNames.ObjectReader} r, {RuntimeNames.BlockReader} s, int at) => {Element(element, Converted(element, ReadPayload(element, "r", "s, at")))})",
    };

    // A list of arrays is no list of what arrays implement.
    private static string Element(MemberKind kind, string value) => kind is ListKind { Interface: { } type } ? $"({type}?){value}" : value;
}
