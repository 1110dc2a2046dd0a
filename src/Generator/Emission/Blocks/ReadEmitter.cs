using BufferedMessages.Generator.Model;

namespace BufferedMessages.Generator.Emission;

/// <summary>The emitter of the code that creates an object from a message. Locals have explicit types, because a user's type can be called <c>var</c>.</summary>
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
        if (restored.Count != 0 && constructor.Unset.Count == 0 && restored.TrueForAll(static member => member.Model.Restore == MemberRestore.Assignment))
        {
            code.Line($"{message.Type} result = new();");
            restored.ForEach(ReadAndAssign);
            code.Line("return result;");
            return;
        }

        foreach (var member in restored)
        {
            ReadToLocal(member);
        }

        Construct(
            $"{constructor.Call}({string.Join(", ", constructor.Arguments.Select(ordinal => Value(members[ordinal])))})",
            [.. constructor.Unset.Select(static member => $"{member} = default!")]);
    }

    // Payloads are read in the order of the members, so members that are all assigned need no locals.
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

    private void ReadToLocal(EmittedMember member) => code.Line($"{LocalType(member.Kind)} {member.Names.Local} = {Read(member)};");

    private void Construct(string creation, IReadOnlyList<string> defaults)
    {
        var required = members.Where(static member => member.Model.IsRequired).Select(static member => $"{member.Model.Identifier} = {Value(member)}").Concat(defaults).ToList();
        var fresh = required.Count == 0 ? creation : $"{creation} {{ {string.Join(", ", required)} }}";
        var assigned = members.Where(static member => member.Model.Restore == MemberRestore.Assignment).ToList();
        Create(creation, fresh, defaults, assigned.Count == 0 ? "return" : $"{message.Type} result =");
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

    private void Create(string creation, string fresh, IReadOnlyList<string> defaults, string target)
    {
        var initialized = members.Where(static member => member.Model.Restore == MemberRestore.Initializer).ToList();
        if (initialized.Count == 0 && defaults.Count == 0)
        {
            code.Line($"{target} {creation};");
            return;
        }

        using (code.Block($"{target} {creation}", ";"))
        {
            foreach (var member in initialized)
            {
                code.Line($"{member.Model.Identifier} = {Initializer(member, fresh)},");
            }

            code.All(defaults.Select(static assignment => assignment + ","));
        }
    }

    // An object for reading the value of an initializer is created only if the message has a null.
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

    // The reader's own collections have the type of the member, so that overload resolution finds the constructor that was chosen for them.
    private static string LocalType(MemberKind kind) => kind switch
    {
        ValueKind value => value.Type,
        NullableKind nullable => nullable.Value.Type + "?",
        StringKind => "string?",
        BinaryKind => "byte[]?",
        ListKind { Shape: CollectionShape.ReadOnlyInterface } or DictionaryKind { IsCopied: false } or SetKind { IsCopied: false } => SourceTypes.Of(kind) + "?",
        ListKind list => SourceTypes.ArrayOf(list.Element) + "?",
        DictionaryKind dictionary => $"{RuntimeNames.Dictionary}<{SourceTypes.Of(dictionary.Key)}, {SourceTypes.Of(dictionary.Value)}>?",
        SetKind set => $"{RuntimeNames.HashSet}<{SourceTypes.Of(set.Element)}>?",
        ReferenceKind reference => reference.Type + "?",
        ConvertedKind converted => ConvertedTypes.UserOf(converted),
        _ => throw new ArgumentOutOfRangeException(nameof(kind), kind, message: null),
    };

    private static string Value(EmittedMember member) => Converted(member.Kind, member.Names.Local);

    private static string Converted(MemberKind kind, string value) => kind switch
    {
        BinaryKind or ListKind or DictionaryKind or SetKind => CollectionCode.Converted(kind, value),
        MessageKind { Form: MessageForm.Value } => value + ".GetValueOrDefault()",
        _ => value,
    };

    private static string Read(EmittedMember member)
    {
        var place = "block, " + member.PlaceArguments;
        return member.Kind switch
        {
            ValueKind value => $"block.Read<{value.Type}>({member.PlaceArguments})",
            NullableKind nullable => $"block.ReadNullable<{nullable.Value.Type}>({member.PlaceArguments})",
            StringKind => $"reader.ReadString({place})",
            BinaryKind => $"reader.ReadBinary({place})",

            // A struct is read as a nullable one: on a null in the message the member keeps its initializer.
            MessageKind { Form: MessageForm.Reference } message => $"reader.ReadMessage<{RuntimeNames.SourceAndBlockOf(message)}>({place})",
            MessageKind message => $"reader.ReadMessage<{RuntimeNames.NullableAndBlockOf(message)}>({place})",
            UnionKind union => $"reader.ReadUnion<{RuntimeNames.SourceAndBlockOf(union.Type)}>({place})",
            DictionaryKind dictionary => $"reader.ReadDictionary<{member.Storage.DictionaryArguments(dictionary)}>({place})",
            SetKind set => $"reader.ReadSet<{StorageTypes.SetArguments(set)}>({place})",
            ListKind list => ReadList(member, list, place),
            ConvertedKind { Wire: ValueKind or NullableKind } converted => "block." + ConvertedTypes.ReadCall(member, converted),
            ConvertedKind converted => $"{member.Storage.ConvertedSlot(converted)}.Read(ref reader, {place})",
            _ => throw new ArgumentOutOfRangeException(nameof(member), member.Kind, message: null),
        };
    }

    private static string ReadList(EmittedMember member, ListKind list, string place) => list.Element switch
    {
        ValueKind value => $"reader.ReadValues<{value.Type}>({place})",
        NullableKind nullable => $"reader.ReadNullables<{nullable.Value.Type}>({place})",
        StringKind => $"reader.ReadStrings({place})",
        MessageKind message => $"reader.ReadMessages<{RuntimeNames.SourceAndBlockOf(message)}>({place})",
        _ => $"reader.ReadList<{member.Storage.ListArguments(list)}>({place})",
    };
}
