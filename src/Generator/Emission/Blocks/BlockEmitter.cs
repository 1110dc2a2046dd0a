using System.Globalization;
using BufferedMessages.Generator.Layout;
using BufferedMessages.Generator.Model;

namespace BufferedMessages.Generator.Emission;

/// <summary>The emitter of the type that defines the layout of a message's block, with those of the anonymous messages in it.</summary>
/// <param name="code">The writer of the file.</param>
/// <param name="plan">The message.</param>
/// <param name="error">The reason why its layout is undefined; null if it is defined.</param>
internal sealed class BlockEmitter(SourceWriter code, MessagePlan plan, string? error = null)
{
    private const int MaxSmallMembers = 3;
    private const int MaxInlinedMembers = 4;
    private const int MaxInlinedValues = 8;

    private readonly MessageModel _message = plan.Message;
    private readonly IReadOnlyList<EmittedMember> _members = EmittedMember.Of(plan);

    /// <summary>Emits the whole type.</summary>
    /// <param name="declaration">Its declaration without base list.</param>
    public void Emit(string declaration)
    {
        using (code.Block($"{declaration} : {RuntimeNames.ReadableBlock}<{_message.Type}>"))
        {
            code.Line(string.Format(CultureInfo.InvariantCulture, "public static int Bytes => {0};", plan.Layout.BlockBytes));
            code.Line();
            if (error is not null)
            {
                code.Line($"static {GeneratedNames.Block}() => {Refusal.Of(error)};");
                code.Line();
            }

            Paddings();
            SourceInterfaceCode.Schema(
                code, "new", _message.FullName, SchemaText.NotedLinesOf(_message), SchemaText.References(_message).Select(static reference => reference.Block));
            code.Line();
            AddSize();
            code.Line();
            Write();
            code.Line();
            Read();
            foreach (var converted in _members.SelectMany(static member => member.Kind.Converters()))
            {
                code.Line();
                ConverterEmitter.Emit(code, converted);
            }

            foreach (var (anonymous, hasView) in plan.Anonymous)
            {
                // The kind of a reserved ordinal may use types that are less accessible than the source.
                code.Line();
                code.Line($"/// <summary>The layout of {anonymous.Message.Description} in a block.</summary>");
                new BlockEmitter(code, anonymous).Emit($"{(hasView ? "public" : "private")} readonly struct {anonymous.Message.View.Name}");
            }
        }
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
            // The view and the writer are not nested in the source.
            using (code.Block($"internal readonly struct {member.Names.Padding} : {RuntimeNames.Wire}IStructPadding"))
            {
                // An array, because a span over constants allocates in unoptimized code.
                code.Line($"private static readonly ushort[] Holes = [{string.Join(", ", member.Padding)}];");
                code.Line();
                code.Line($"public static {RuntimeNames.ReadOnlySpan}<ushort> Pairs => Holes;");
            }
        }
    }

    private void AddSize()
    {
        var calls = _members.Select(SizeEmitter.Call).OfType<string>().ToList();
        using (code.Block($"public static void AddSize(scoped {RuntimeNames.Place} place, ref {RuntimeNames.Size} size, int depth)"))
        {
            if (calls.Count != 0)
            {
                code.Line(SourceOf(_message.Type));
            }

            calls.ForEach(call => code.Line($"size.{call};"));
        }
    }

    private void Write()
    {
        // The JIT's inlining budget depends on the size of the root method. In the small methods that call this one, the members' calls would not be inlined.
        // A call to a block of few members would take as long as the members do. Values are so little code that a block of values alone may have more of them.
        if (_members.Count > MaxSmallMembers)
        {
            code.Line(_members.Count <= (_members.All(IsInBlock) ? MaxInlinedValues : MaxInlinedMembers) ? RuntimeNames.Inlined : RuntimeNames.NotInlined);
        }

        using (code.Block($"public static void Write(scoped {RuntimeNames.Place} place, ref {RuntimeNames.Writer} writer, int block, int depth)"))
        {
            // Values come first: without a payload's call in between, the block's address stays in a register.
            var (values, payloads) = (_members.Where(IsInBlock).ToList(), _members.Where(static member => !IsInBlock(member)));
            if (_members.Count != 0)
            {
                code.Line(SourceOf(_message.Type));
            }

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

    private static string SourceOf(string type) => $"place.Get(out {type} source);";

    private static bool IsInBlock(EmittedMember member) => member.Kind.Stored() is ValueKind or NullableKind;

    private void Read()
    {
        using (code.Block($"public static {_message.Type} Read(ref {RuntimeNames.ObjectReader} reader, {RuntimeNames.BlockReader} block)"))
        {
            new ReadEmitter(code, _message, _members).Body();
        }
    }
}
