using System.Globalization;
using BufferedMessages.Generator.Layout;
using BufferedMessages.Generator.Model;

namespace BufferedMessages.Generator.Emission;

/// <summary>Emits the type that says how the members of a message lie in its block, with those of the anonymous messages in it.</summary>
/// <param name="code">What to write to.</param>
/// <param name="plan">The message.</param>
/// <param name="error">Why its layout is not defined; null if it is.</param>
internal sealed class BlockEmitter(SourceWriter code, MessagePlan plan, string? error = null)
{
    private readonly MessageModel _message = plan.Message;
    private readonly IReadOnlyList<EmittedMember> _members = EmittedMember.Of(plan);

    /// <summary>Emits the whole type.</summary>
    /// <param name="declaration">Its declaration without what it implements.</param>
    public void Emit(string declaration)
    {
        using (code.Block($"{declaration} : {RuntimeNames.ReadableBlock}<{_message.Type}>"))
        {
            code.Line("/// <inheritdoc/>");
            code.Line(string.Format(CultureInfo.InvariantCulture, "public static int Bytes => {0};", plan.Layout.BlockBytes));
            code.Line();
            if (error is not null)
            {
                code.Line($"static {GeneratedNames.Block}() => {Refusal.Of(error)};");
                code.Line();
            }

            Paddings();
            Schema();
            code.Line();
            AddSize();
            code.Line();
            Write();
            code.Line();
            Read();
            foreach (var (anonymous, hasView) in plan.Anonymous)
            {
                // What a reserved ordinal stands for may be of types that the source does not show.
                code.Line();
                code.Line($"/// <summary>How {anonymous.Message.Description} lies in a block.</summary>");
                new BlockEmitter(code, anonymous).Emit($"{(hasView ? "public" : "private")} readonly struct {anonymous.Message.View.Name}");
            }
        }
    }

    private void Schema()
    {
        var lines = SchemaText.LinesOf(_message).Select(static line => $"\"{line}\\n\"").DefaultIfEmpty("\"\"").ToList();
        var references = SchemaText.References(_message).Select(static reference => reference.Block + ".Schema");
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
        var padded = _members.Where(static member => member.Padding.Count != 0).ToList();
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
            foreach (var member in _members)
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
            var (values, payloads) = (_members.Where(IsInBlock).ToList(), _members.Where(static member => !IsInBlock(member)));
            if (values.Count != 0)
            {
                code.Line($"{RuntimeNames.BlockWriter} values = writer.Block(block, Bytes);");
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
            new ReadEmitter(code, _message, _members).Body();
        }
    }
}
