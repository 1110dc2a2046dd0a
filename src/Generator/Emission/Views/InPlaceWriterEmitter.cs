using System.Globalization;
using BufferedMessages.Generator.Model;

namespace BufferedMessages.Generator.Emission;

/// <summary>The emitter of the type that writes a message in place, without an object.</summary>
internal sealed class InPlaceWriterEmitter(SourceWriter code, SourceModel source, TypeNames writer, IReadOnlyList<EmittedMember> members)
{
    private const string Builder = RuntimeNames.Wire + "BlockBuilder";
    private const string Span = "global::System.Span";

    // Selects the overload for arguments that fit several, such as null or a collection expression.
    private const string Preferred = "[global::System.Runtime.CompilerServices.OverloadResolutionPriority(1)]";

    private readonly string _field = GeneratedNames.FieldOf(source.Message, writer);

    /// <summary>Emits the whole type.</summary>
    public void Emit()
    {
        var message = source.Message;
        var plain = $"{RuntimeNames.Product}IBufferedMessageWriter<{writer.Type}>";
        code.Lines(
            $"""
            /// <summary>A writer of a <see cref="{message.Type}"/> message in place, without an object.</summary>
            /// <remarks>
            /// Members of fixed size can be set in any order, and changed in an existing message. The others are appended once each, in the order of their
            /// ordinals; those that are not appended are null. Valid while the claim or the builder that it came from is open. Does not allocate.
            /// </remarks>
            """);
        code.Line(RuntimeNames.GeneratedCode);
        code.All(message.Cautions);
        using (code.Block($"{writer.Accessibility} readonly ref partial struct {writer.Name} : {RuntimeNames.Product}IBufferedMessageWriterOf<{writer.Type}, {message.Type}>"))
        {
            code.Lines(
                $$"""
                private readonly {{Builder}} {{_field}};

                private {{writer.Name}}({{Builder}} block) {{Refusal.OrSet(source.OrdinalError, _field, "block")}}

                static int {{plain}}.BlockBytes => {{message.Block}}.Bytes;

                static {{writer.Type}} {{plain}}.Create({{Builder}} block) => new(block);

                /// <summary>Gets whether the message is null. Nothing can be written to it then.</summary>
                public bool {{GeneratedNames.IsNull}} => {{_field}}.IsNull;
                """);
            foreach (var member in members)
            {
                Member(member);
            }
        }
    }

    private static string Offset(EmittedMember member) => member.Place.Offset.ToString(CultureInfo.InvariantCulture);

    private void Member(EmittedMember member)
    {
        switch (member.Kind)
        {
            case ValueKind or NullableKind or ConvertedKind { Wire: ValueKind or NullableKind }:
                Property(member);
                return;
            case StringKind:
                Append(member, "string? value", $"{_field}.WriteString({Offset(member)}, value)", "void", "Appends the text; null leaves the member null.", isPreferred: true);
                Append(member, $"{RuntimeNames.ReadOnlySpan}<char> value", $"{_field}.WriteText({Offset(member)}, value)", "void", "Appends the text; an empty span is an empty text.");
                Append(member, $"{RuntimeNames.ReadOnlySpan}<byte> utf8", $"{_field}.WriteUtf8({Offset(member)}, utf8)", "void", "Appends UTF-8 text; an empty span is an empty text.");
                return;
            case BinaryKind binary:
                AppendElements(member, "byte", "binary", binary.Shape);
                Append(member, "int length", $"{_field}.WriteBinary({Offset(member)}, length)", $"{Span}<byte>", "Appends a binary and returns its bytes, not cleared, for writing.");
                break;
            case MessageKind { Writer: { } nested }:
                There(member, nested, $"{_field}.ReadMessage<{nested}>({Offset(member)})", "Gets the writer of the nested message; <c>IsNull</c> if there is none.");
                Append(member, "", $"{_field}.WriteMessage<{nested}>({Offset(member)})", nested, "Appends a nested message and returns its writer.");
                break;
            case ListKind { Element: MessageKind { Writer: { } element } }:
                var list = $"{RuntimeNames.Product}BufferedMessageListWriter<{element}>";
                There(member, list, $"{_field}.ReadMessages<{element}>({Offset(member)})", "Gets the writers of the messages in the list.");
                Append(member, "int count", $"{_field}.WriteMessages<{element}>({Offset(member)}, count)", list, "Appends a list of messages, none of them null, and returns their writers.");
                break;
            case ListKind { Element: StringKind }:
                var strings = RuntimeNames.Product + "BufferedStringListWriter";
                Append(member, "int count", $"{_field}.WriteStrings({Offset(member)}, count)", strings, "Appends a list of strings and returns their writer.");
                break;
            case ListKind { Element: ValueKind value } kind:
                AppendElements(member, value.Type, "list", kind.Shape);
                if (!value.IsChecked && value.Padding.Count == 0)
                {
                    Append(member, "int count", $"{_field}.WriteValues<{value.Type}>({Offset(member)}, count)", $"{Span}<{value.Type}>", "Appends a list and returns its values, not cleared, for writing.");
                }

                break;
        }

        AppendObject(member);
    }

    private void Property(EmittedMember member)
    {
        var write = member.Kind.Stored() is ValueKind ? "Write" : "WriteNullable";
        var value = member.Kind is ConvertedKind converted ? $"{converted.Adapter}.ToWire(value)" : "value";

        code.Line();
        code.All(member.Model.Documentation.Select(static line => "/// " + line));
        code.All(member.Model.Cautions);
        using (code.Block($"public {ViewEmitter.ElementType(member.Kind)} {member.Model.Identifier}"))
        {
            code.Line($"get => {_field}.{ViewEmitter.Accessor(member)};");
            code.Line($"set => {_field}.{write}({member.PlaceArguments}, {value}{member.PaddingArgument});");
        }
    }

    private void There(EmittedMember member, string type, string call, string summary)
    {
        Head(member, summary);
        code.Line($"public {type} {member.Model.Identifier} => {call};");
    }

    private void Append(EmittedMember member, string parameters, string call, string result, string summary, bool isPreferred = false)
    {
        Head(member, summary, isPreferred);
        code.Line($"public {result} {GeneratedNames.AppendOf(member.Model.Name)}({parameters}) => {call};");
    }

    // The span overload is preferred only if the collection is not an array. An array converts to a span too, but its own overload must win, since an array can be null.
    private void AppendElements(EmittedMember member, string element, string what, CollectionShape shape)
    {
        var values = RuntimeNames.Wire + "SourceElements.NotNull(values)";
        AppendWith(
            member,
            $"{RuntimeNames.ReadOnlySpan}<{element}> values",
            member.Kind is BinaryKind
                ? $"writer.WriteBinary(block, {Offset(member)}, {values})"
                : $"writer.WriteValues(block, {Offset(member)}, {values}{member.PaddingArgument})",
            $"Appends a {what}; an empty span is an empty {what}.",
            isPreferred: shape is not (CollectionShape.Array or CollectionShape.ArraySegment or CollectionShape.NullableArraySegment));
    }

    private void AppendObject(EmittedMember member) =>
        AppendWith(member, $"{SourceTypes.Of(member.Kind)}{(IsStruct(member.Kind) ? "" : "?")} value", WriteEmitter.Call(member, "value"), "Appends the content of an object; null leaves the member null.");

    private void AppendWith(EmittedMember member, string parameters, string call, string summary, bool isPreferred = false)
    {
        Head(member, summary, isPreferred);
        using (code.Block($"public void {GeneratedNames.AppendOf(member.Model.Name)}({parameters})"))
        {
            code.Line($"{RuntimeNames.Writer} writer = {_field}.BeginAppend({Offset(member)}, out int block, out int {(call.Contains("depth") ? "depth" : "_")});");
            code.Line(call + ";");
            code.Line($"{_field}.EndAppend(writer);");
        }
    }

    private static bool IsStruct(MemberKind kind) => kind switch
    {
        MessageKind message => message.Form != MessageForm.Reference,
        ConvertedKind converted => converted.Form != MessageForm.Reference,
        ListKind list => IsStruct(list.Shape),
        BinaryKind binary => IsStruct(binary.Shape),
        _ => false,
    };

    private static bool IsStruct(CollectionShape shape) => shape is >= CollectionShape.ArraySegment and < CollectionShape.Interface;

    private void Head(EmittedMember member, string summary, bool isPreferred = false)
    {
        code.Line();
        code.Line($"/// <summary>{summary}</summary>");
        code.All(member.Model.Cautions);
        if (isPreferred)
        {
            code.Line(Preferred);
        }
    }
}
