using System.Globalization;
using BufferedMessages.Generator.Layout;
using BufferedMessages.Generator.Model;

namespace BufferedMessages.Generator.Emission;

/// <summary>Emits the part of the source type: size and writer, and the nested plumbing that other messages call.</summary>
internal sealed class SourcePartEmitter(SourceWriter code, MessagePlan plan, IReadOnlyList<EmittedMember> members)
{
    private readonly MessageModel _message = plan.Message;

    private string Interface => $"{RuntimeNames.Product}IBufferedMessageSource<{_message.Type}>";

    private string New => _message.BaseIsSource ? "new " : "";

    /// <summary>Emits the partial declaration.</summary>
    public void Emit()
    {
        using (code.Block($"{_message.Declaration} : {Interface}"))
        {
            code.Line($"static {RuntimeNames.Schema} {Interface}.Schema => BufferedBlock.Schema;");
            code.Line();
            code.Lines(
                $$"""
                /// <inheritdoc/>
                {{RuntimeNames.GeneratedCode}}
                {{Head("CalculateSize", "", _message.ExplicitCalculateSize)}} => {{RuntimeNames.Size}}.Of<{{RuntimeNames.SourceAndBlockOf(_message.Type)}}>(this);

                /// <inheritdoc/>
                {{RuntimeNames.GeneratedCode}}
                {{Head("Write", "global::System.Span<byte> destination", _message.ExplicitWrite)}} => {{RuntimeNames.Writer}}.Write<{{RuntimeNames.SourceAndBlockOf(_message.Type)}}>(this, destination);
                """);
            UnionInterfaceEmitter.Emit(code, _message.UnionInterfaces);
            code.Line();
            Block();
        }
    }

    private string Head(string name, string parameters, bool isExplicit) =>
        isExplicit ? $"int {Interface}.{name}({parameters})" : $"public {New}int {name}({parameters})";

    private void Block()
    {
        code.Line("/// <summary>Plumbing for generated code: how the members lie in a block.</summary>");
        code.Line(RuntimeNames.GeneratedCode);
        code.Line(RuntimeNames.Hidden);
        using (code.Block($"public {New}readonly struct BufferedBlock : {RuntimeNames.ReadableBlock}<{_message.Type}>"))
        {
            code.Line("/// <inheritdoc/>");
            code.Line(string.Format(CultureInfo.InvariantCulture, "public static int Bytes => {0};", plan.Layout.BlockBytes));
            code.Line();
            Paddings();
            Schema();
            code.Line();
            AddSize();
            code.Line();
            Write();
            code.Line();
            Read();
        }
    }

    private void Schema()
    {
        var lines = SchemaText.LinesOf(_message).Select(static line => $"\"{line}\\n\"").DefaultIfEmpty("\"\"").ToList();
        var references = SchemaText.References(_message).Select(static reference => RuntimeNames.BlockOf(reference.Type) + ".Schema");
        code.Line("/// <summary>The schema of the messages.</summary>");
        code.Line($"public static {RuntimeNames.Schema} Schema {{ get; }} = new(");
        code.Line($"    \"{_message.FullName}\",");
        for (var i = 0; i < lines.Count; i++)
        {
            code.Line($"    {lines[i]}{(i == lines.Count - 1 ? "," : " +")}");
        }

        code.Line($"    static () => [{string.Join(", ", references)}]);");
    }

    private void Paddings()
    {
        var padded = members.Where(static member => member.Padding.Count != 0).ToList();
        if (padded.Count == 0)
        {
            return;
        }

        foreach (var member in padded)
        {
            // The view and the writer are types beside the source.
            using (code.Block($"internal readonly struct {member.Names.Padding} : {RuntimeNames.Wire}IStructPadding"))
            {
                // An array: a span over constants allocates in code that is not optimized.
                code.Line($"private static readonly ushort[] OffsetsAndLengths = [{string.Join(", ", member.Padding)}];");
                code.Line();
                code.Line($"public static {RuntimeNames.ReadOnlySpan}<ushort> Pairs => OffsetsAndLengths;");
            }
        }
    }

    private void AddSize()
    {
        code.Line("/// <inheritdoc/>");
        using (code.Block($"public static void AddSize({_message.Type} source, ref {RuntimeNames.Size} size, int depth)"))
        {
            var emitter = new SizeEmitter(code);
            foreach (var member in members)
            {
                emitter.Member(member);
            }
        }
    }

    private void Write()
    {
        code.Line("/// <inheritdoc/>");
        using (code.Block($"public static void Write({_message.Type} source, ref {RuntimeNames.Writer} writer, int block, int depth)"))
        {
            // Values first: then the processor holds their block's address in a register, and no call of a payload takes it away.
            var (values, payloads) = (members.Where(IsInBlock).ToList(), members.Where(static member => !IsInBlock(member)));
            if (values.Count != 0)
            {
                code.Line("var values = writer.Block(block, Bytes);");
            }

            var emitter = new WriteEmitter(code);
            foreach (var member in values.Concat(payloads))
            {
                emitter.Member(member);
            }
        }
    }

    private static bool IsInBlock(EmittedMember member) => member.Kind is ValueKind or NullableKind;

    private void Read()
    {
        code.Line("/// <inheritdoc/>");
        using (code.Block($"public static {_message.Type} Read(ref {RuntimeNames.ObjectReader} reader, {RuntimeNames.BlockReader} block)"))
        {
            new ReadEmitter(code, _message, members).Body();
        }
    }
}
