using System.Globalization;
using BufferedMessages.Generator.Layout;
using BufferedMessages.Generator.Model;

namespace BufferedMessages.Generator.Emission;

/// <summary>The emitter of the view of a union.</summary>
internal sealed class UnionViewEmitter(SourceWriter code, UnionModel union)
{
    private readonly string _field = GeneratedNames.FieldOf(union);

    /// <summary>Emits the whole type.</summary>
    public void Emit()
    {
        var view = union.View;
        Documentation();
        code.Line(RuntimeNames.GeneratedCode);
        code.All(union.Cautions);
        code.Line("[global::System.Diagnostics.DebuggerDisplay(\"{ToString(),nq}\")]");
        using (code.Block($"{view.Accessibility} readonly ref partial struct {view.Name} : {RuntimeNames.View}<{view.Type}>, {RuntimeNames.Element}<{view.Type}>, {RuntimeNames.VerifiedUnion}"))
        {
            code.Lines(
                $$"""
                {{RuntimeNames.HiddenFromDebugger}}
                private readonly {{RuntimeNames.CaseReader}} {{_field}};

                private {{view.Name}}({{RuntimeNames.CaseReader}} found) {{Refusal.OrSet(union.NumberError, _field, "found")}}

                /// <summary>Initializes a view that reads a message in place.</summary>
                /// <param name="message">The message, at any alignment. Bytes after its end are ignored. The view is valid while these bytes are valid.</param>
                /// <exception cref="{{RuntimeNames.Product}}MalformedMessageException">The bytes do not begin with the header of a complete message, or its root is not a union.</exception>
                public {{view.Name}}({{RuntimeNames.ReadOnlySpan}}<byte> message) {{Refusal.OrSet(union.NumberError, _field, RuntimeNames.CaseReader + ".OfMessage(message)")}}

                static {{RuntimeNames.Schema}} {{RuntimeNames.View}}<{{view.Type}}>.Schema => {{RuntimeNames.BlockOf(union.Type)}}.Schema;

                static {{view.Type}} {{RuntimeNames.View}}<{{view.Type}}>.Create({{RuntimeNames.BlockReader}} block) => new({{RuntimeNames.CaseReader}}.OfRoot(block));

                static {{view.Type}} {{RuntimeNames.Element}}<{{view.Type}}>.Read({{RuntimeNames.BlockReader}} slots, int offset) => new(slots.ReadCase(offset));

                {{RuntimeNames.HiddenFromDebugger}}
                {{RuntimeNames.CaseReader}} {{RuntimeNames.View}}<{{view.Type}}>.Content => {{_field}};

                """);
            Verify();
            code.Lines(
                $$"""

                /// <summary>Gets whether the union is null.</summary>
                public bool {{GeneratedNames.IsNull}} => {{_field}}.IsNull;

                /// <summary>Gets the case; a number without a name if it is unknown.</summary>
                public {{union.Enum.Type}} {{GeneratedNames.Case}} => ({{union.Enum.Type}}){{_field}}.Number;

                /// <summary>Gets whether this program does not know the case, because a newer program wrote it. Such a case can only be skipped.</summary>
                public bool {{GeneratedNames.IsUnknown}} => {{GeneratedNames.Case}} is not ({{string.Join(" or ", union.Cases.Select(static found => found.Name.Escape()).Prepend(GeneratedNames.NoCase).Select(name => $"{union.Enum.Type}.{name}"))}});

                /// <summary>Returns the union as JSON in one line, truncated to 1000 characters; the case is its <c>$type</c>. Allocates.</summary>
                public override string {{GeneratedNames.Text}}() => {{_field}}.ToText({{RuntimeNames.BlockOf(union.Type)}}.Schema);
                """);
            foreach (var found in union.Cases)
            {
                code.Line();
                Case(found);
            }

            code.Line();
            ToSource();
        }
    }

    private void Documentation()
    {
        code.Lines(
            $"""
            /// <summary>A view that reads a <see cref="{union.Type}"/> in place: its case, and the view of that case.</summary>
            /// <remarks>
            /// Valid while the bytes of the message are valid. Reading does not allocate, and is thread-safe while no thread writes to the bytes.
            /// <code>
            """);
        foreach (var line in SchemaText.LinesOf(union))
        {
            code.Line("/// " + line);
        }

        code.Line("/// </code>");
        code.Line("/// </remarks>");
    }

    // A root block holds the union's slot alone.
    private void Verify()
    {
        var view = union.View.Type;
        code.Lines(
            $$"""
            static bool {{RuntimeNames.VerifiedBlock}}.Verify(ref {{RuntimeNames.Verifier}} verifier, {{RuntimeNames.BlockReader}} block) => verifier.UnionRoot<{{view}}>(block);

            static bool {{RuntimeNames.VerifiedPayload}}.Verify(ref {{RuntimeNames.Verifier}} verifier, {{RuntimeNames.BlockReader}} container, int offset) => verifier.Union<{{view}}>(container, offset);

            static bool {{RuntimeNames.VerifiedUnion}}.Verify(ref {{RuntimeNames.Verifier}} verifier, ushort number, {{RuntimeNames.BlockReader}} block) => number switch
            """);
        using (code.Block("", ";"))
        {
            foreach (var found in union.Cases)
            {
                code.Line(string.Format(CultureInfo.InvariantCulture, "{0} => verifier.Case<{1}>(block),", found.Number, found.Message.View));
            }

            code.Line("_ => verifier.UnknownCase(),");
        }
    }

    private void Case(CaseModel found)
    {
        var number = found.Number.ToString(CultureInfo.InvariantCulture);
        code.Lines(
            $$"""
            /// <summary>Reads the union as a <see cref="{{found.Message.Type}}"/>.</summary>
            /// <exception cref="global::System.InvalidOperationException">The union holds another case, or is null.</exception>
            {{found.Accessibility}} {{found.Message.View}} {{GeneratedNames.As(found.Name)}}() => {{_field}}.Read<{{found.Message.View}}>({{number}});

            /// <summary>Reads the union as a <see cref="{{found.Message.Type}}"/> if it holds one; otherwise the view is null.</summary>
            {{found.Accessibility}} bool {{GeneratedNames.TryGet(found.Name)}}(out {{found.Message.View}} view) => {{_field}}.TryRead({{number}}, out view);
            """);
    }

    private void ToSource() => code.Lines(
        $$"""
        /// <summary>Copies the union into a new object. Allocates.</summary>
        /// <exception cref="global::System.InvalidOperationException">The union is null.</exception>
        /// <exception cref="{{RuntimeNames.Product}}UnknownCaseException">A newer program wrote a case that this one does not know; check <see cref="IsUnknown"/> first.</exception>
        /// <exception cref="{{RuntimeNames.Product}}MalformedMessageException">The bytes break a rule of the wire format.</exception>
        public {{union.Type}} {{GeneratedNames.CopyTo(union.Name)}}() => {{RuntimeNames.ObjectReader}}.ReadUnion<{{RuntimeNames.SourceAndBlockOf(union.Type)}}>({{_field}});
        """);
}
