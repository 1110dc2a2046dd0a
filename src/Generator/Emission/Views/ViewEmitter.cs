using System.Globalization;
using BufferedMessages.Generator.Layout;
using BufferedMessages.Generator.Model;

namespace BufferedMessages.Generator.Emission;

/// <summary>The emitter of the view of a message.</summary>
/// <param name="code">The writer of the file.</param>
/// <param name="plan">The message.</param>
/// <param name="error">The reason why its layout is undefined; null if it is defined.</param>
internal sealed class ViewEmitter(SourceWriter code, MessagePlan plan, string? error = null)
{
    private const int DebuggerMembers = 3;

    private readonly MessageModel _message = plan.Message;
    private readonly IReadOnlyList<EmittedMember> _members = EmittedMember.Of(plan);

    private readonly string _field = GeneratedNames.FieldOf(plan.Message, writer: null);

    /// <summary>Emits the whole type.</summary>
    public void Emit()
    {
        var view = _message.View;
        Documentation();
        code.Line(RuntimeNames.GeneratedCode);
        code.All(_message.Cautions);
        code.Line($"[global::System.Diagnostics.DebuggerDisplay(\"{DebuggerText()}\")]");
        using (code.Block($"{view.Accessibility} readonly ref partial struct {view.Name} : {RuntimeNames.View}<{view.Type}>"))
        {
            code.Lines(
                $$"""
                {{RuntimeNames.HiddenFromDebugger}}
                private readonly {{RuntimeNames.BlockReader}} {{_field}};

                private {{view.Name}}({{RuntimeNames.BlockReader}} block) {{Refusal.OrSet(error, _field, "block")}}
                """);
            code.Line();
            if (!_message.IsAnonymous)
            {
                RootConstructor();
                code.Line();
            }

            code.Lines(
                $$"""
                static {{RuntimeNames.Schema}} {{RuntimeNames.View}}<{{view.Type}}>.Schema => {{_message.Block}}.Schema;

                static {{view.Type}} {{RuntimeNames.View}}<{{view.Type}}>.Create({{RuntimeNames.BlockReader}} block) => new(block);

                {{RuntimeNames.HiddenFromDebugger}}
                {{RuntimeNames.CaseReader}} {{RuntimeNames.View}}<{{view.Type}}>.Content => new({{_field}});
                """);
            code.Line();
            new VerifyEmitter(code, plan, _members).Emit();
            code.Line();
            code.Lines(
                $$"""
                /// <summary>Gets whether the message is null. Its members then read as zero or null.</summary>
                public bool {{GeneratedNames.IsNull}} => {{_field}}.IsNull;
                """);
            Text();
            foreach (var member in _members)
            {
                code.Line();
                Property(member);
            }

            if (_message.Constructor is not null)
            {
                code.Line();
                ToSource();
            }

            if (_message.IsAnonymous)
            {
                code.Line();
                Deconstruct();
            }

            foreach (var (anonymous, _) in plan.Anonymous.Where(static part => part.HasView))
            {
                code.Line();
                new ViewEmitter(code, anonymous).Emit();
            }
        }
    }

    private bool IsTextTaken => _message.Members.Any(static member => string.Equals(member.Name, GeneratedNames.Text, StringComparison.Ordinal));

    /// <summary>Gets the call that reads a member from its block. For members of fixed size a writer has the same one.</summary>
    public static string Accessor(EmittedMember member)
    {
        var place = member.PlaceArguments;
        return member.Kind switch
        {
            ValueKind value => $"Read<{value.Type}>({place})",
            NullableKind nullable => $"ReadNullable<{nullable.Value.Type}>({place})",
            StringKind => $"ReadString({place})",
            BinaryKind => $"ReadBinary({place})",
            MessageKind message => $"ReadMessage<{message.View}>({place})",
            UnionKind union => $"ReadUnion<{union.View}>({place})",
            ListKind list => $"{ListReader(list.Element)}({place})",
            DictionaryKind dictionary => dictionary.Key.Stored() is StringKind
                ? $"ReadStringDictionary<{ValueTypes(dictionary.Value)}>({place})"
                : $"ReadDictionary<{KeyType(dictionary.Key)}, {ValueTypes(dictionary.Value)}>({place})",
            SetKind set => set.Element.Stored() is StringKind ? $"ReadStringSet({place})" : $"ReadSet<{KeyType(set.Element)}>({place})",
            ConvertedKind converted => ConvertedTypes.ReadCall(member, converted),
            _ => throw new ArgumentOutOfRangeException(nameof(member), member.Kind, message: null),
        };
    }

    private static string ListReader(MemberKind element) => element switch
    {
        ValueKind { IsChecked: false } value => $"ReadSpan<{value.Type}>",
        ValueKind value => $"ReadValueList<{value.Type}>",
        NullableKind nullable => $"ReadNullableList<{nullable.Value.Type}>",
        MessageKind message => $"ReadMessageList<{message.View}>",
        ConvertedKind converted => $"ReadConvertedList<{ConvertedListArguments(converted)}>",
        _ => $"ReadList<{ElementType(element)}>",
    };

    private static string MemberType(MemberKind kind) => kind switch
    {
        BinaryKind => RuntimeNames.ReadOnlySpan + "<byte>",
        ListKind { Element: ValueKind { IsChecked: false } value } => $"{RuntimeNames.ReadOnlySpan}<{value.Type}>",
        _ => ElementType(kind),
    };

    /// <summary>Gets the type that a list or a dictionary returns for an element of this kind: the view of the slot's payload.</summary>
    public static string ElementType(MemberKind kind) => kind switch
    {
        ValueKind value => value.Type,
        NullableKind nullable => nullable.Value.Type + "?",
        ReferenceKind reference => reference.View,
        StringKind => RuntimeNames.Product + "BufferedString",
        BinaryKind => RuntimeNames.Product + "BufferedBinary",
        ListKind list => ListType(list.Element),
        DictionaryKind dictionary => RuntimeNames.Product + (dictionary.Key.Stored() is StringKind
            ? $"BufferedStringDictionary<{ValueTypes(dictionary.Value)}>"
            : $"BufferedDictionary<{KeyType(dictionary.Key)}, {ValueTypes(dictionary.Value)}>"),
        SetKind set => RuntimeNames.Product + (set.Element.Stored() is StringKind ? "BufferedStringSet" : $"BufferedSet<{KeyType(set.Element)}>"),
        ConvertedKind converted => ConvertedTypes.UserOf(converted),
        _ => throw new ArgumentOutOfRangeException(nameof(kind), kind, message: null),
    };

    private static string ListType(MemberKind element) => RuntimeNames.Product + element switch
    {
        ValueKind { IsChecked: false } value => $"BufferedSpan<{value.Type}>",
        ValueKind value => $"BufferedValueList<{value.Type}>",
        NullableKind nullable => $"BufferedNullableList<{nullable.Value.Type}>",
        MessageKind message => $"BufferedMessageList<{message.View}>",
        ConvertedKind converted => $"BufferedConvertedList<{ConvertedListArguments(converted)}>",
        _ => $"BufferedList<{ElementType(element)}>",
    };

    private static string ConvertedListArguments(ConvertedKind converted) =>
        $"{ElementType(converted)}, {ElementType(converted.Wire)}, {ListType(converted.Wire)}, {converted.Adapter}";

    // Keys are found by their stored form, without converting any.
    private static string KeyType(MemberKind key) => SourceTypes.Of(key.Stored());

    private static string ValueTypes(MemberKind value) => $"{ElementType(value)}, {ListType(value)}";

    private void Documentation()
    {
        code.Lines(
            $"""
            /// <summary>A view that reads the members of {_message.Description} in place.</summary>
            /// <remarks>
            /// Valid while the bytes of the message are valid. Reading does not allocate, and is thread-safe while no thread writes to the bytes.
            """);
        if (_message.Constructor is null)
        {
            code.Lines(
                """
                /// There is no method that copies the message into an object, because no constructor takes only stored members.
                /// Give the source a constructor without parameters, which may be private, or one with parameters that match members by name and type.
                """);
        }

        code.Line("/// <code>");
        LayoutTable();
        code.Line("/// </code>");
        code.Line("/// </remarks>");
    }

    private void LayoutTable()
    {
        var rows = plan.Layout.Members
            .Zip(_message.Ordinals(), static (place, ordinal) => (Place: place, Kind: SchemaText.KindOf(ordinal.Kind), Name: ordinal.Member?.Name ?? "(reserved)"))
            .OrderBy(static row => row.Place.Offset)
            .ToList();
        var width = rows.Select(static row => row.Kind.Length).Append("kind".Length).Max();
        code.Line($"/// offset  size  {"kind".PadRight(width)}  member");
        foreach (var (place, kind, name) in rows)
        {
            var numbers = string.Format(CultureInfo.InvariantCulture, "{0,6}  {1,4}", place.Offset, place.Size);
            code.Line($"/// {numbers}  {kind.PadRight(width)}  {name}");
        }
    }

    private void Text()
    {
        // If a member has that name, the method is an explicit implementation. Lists of the view call it through the interface.
        code.Line();
        code.Line("/// <summary>Returns the message as JSON in one line, truncated to 1000 characters. Allocates.</summary>");
        code.Line($"{(IsTextTaken ? $"string {RuntimeNames.View}<{_message.View.Type}>." : "public override string ")}{GeneratedNames.Text}() => {_field}.ToText({_message.Block}.Schema);");
    }

    private void Property(EmittedMember member)
    {
        code.All(member.Model.Documentation.Select(static line => "/// " + line));

        code.All(member.Model.Cautions);
        code.Line($"public {MemberType(member.Kind)} {member.Model.Identifier} => {_field}.{Accessor(member)};");
    }

    private void RootConstructor() => code.Lines(
        $$"""
        /// <summary>Initializes a view that reads a message in place.</summary>
        /// <param name="message">The message, at any alignment. Bytes after its end are ignored. The view is valid while these bytes are valid.</param>
        /// <exception cref="{{RuntimeNames.Product}}MalformedMessageException">The bytes do not begin with the header of a complete message.</exception>
        public {{_message.View.Name}}({{RuntimeNames.ReadOnlySpan}}<byte> message) {{Refusal.OrSet(error, _field, RuntimeNames.BlockReader + ".OfMessage(message)")}}
        """);

    private void Deconstruct()
    {
        code.Line("/// <summary>Deconstructs the message into its members, for example in a <c>foreach</c> that declares a variable for each.</summary>");
        using (code.Block($"public void {GeneratedNames.Deconstruct}({string.Join(", ", _members.Select(static member => $"out {MemberType(member.Kind)} {member.Names.Local}"))})"))
        {
            foreach (var member in _members)
            {
                code.Line($"{member.Names.Local} = this.{member.Model.Identifier};");
            }
        }
    }

    private void ToSource()
    {
        code.Lines(
            $$"""
            /// <summary>Copies the message into a new object. Allocates.</summary>
            /// <exception cref="global::System.InvalidOperationException">The message is null.</exception>
            /// <exception cref="{{RuntimeNames.Product}}MalformedMessageException">The bytes break a rule of the wire format.</exception>
            public {{_message.Type}} {{GeneratedNames.CopyTo(_message.Name)}}() => {{RuntimeNames.ObjectReader}}.Read<{{RuntimeNames.SourceAndBlockOf(_message)}}>({{_field}});
            """);
    }

    private string DebuggerText()
    {
        var shown = _members
            .Where(static member => member.Kind is ValueKind or NullableKind or StringKind)
            .Take(DebuggerMembers)
            .Select(static member => $"{member.Model.Name} = {{{member.Model.Identifier}}}");
        return string.Join(", ", shown.DefaultIfEmpty(_message.Name));
    }
}
