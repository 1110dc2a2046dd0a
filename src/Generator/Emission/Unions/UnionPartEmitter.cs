using System.Globalization;
using BufferedMessages.Generator.Layout;
using BufferedMessages.Generator.Model;

namespace BufferedMessages.Generator.Emission;

/// <summary>The emitter of the part of a union: size and writer, and the nested infrastructure that finds the case of an object.</summary>
internal sealed class UnionPartEmitter(SourceWriter code, UnionModel union)
{
    /// <summary>Emits the partial declaration.</summary>
    public void Emit()
    {
        using (code.Block($"{union.Declaration} : {SourceInterfaceCode.BasesOf(union.Type, union.UnionInterfaces)}"))
        {
            SourceInterfaceCode.Emit(
                code,
                union.Type,
                $"{union.Type}, {RuntimeNames.Wire}UnionRoot<{union.Type}, {GeneratedNames.Block}>",
                union.ExplicitCalculateSize,
                union.ExplicitWrite,
                union.UnionInterfaces,
                $"/// <exception cref=\"{RuntimeNames.Product}UndeclaredCaseException\">The type of the object, or of a union in it, is not a declared case.</exception>");
            code.Line();
            Block();
        }
    }

    private void Block()
    {
        code.Line("/// <summary>Infrastructure for generated code: the case of an object, and of a message.</summary>");
        code.Line(RuntimeNames.GeneratedCode);
        code.Line(RuntimeNames.Hidden);
        using (code.Block($"public readonly struct {GeneratedNames.Block} : {RuntimeNames.UnionCases}<{union.Type}>"))
        {
            if (union.NumberError is { } error)
            {
                code.Line($"static {GeneratedNames.Block}() => {Refusal.Of(error)};");
                code.Line();
            }

            SourceInterfaceCode.Schema(
                code, RuntimeNames.Schema + ".OfUnion", union.FullName, SchemaText.LinesOf(union), union.Cases.Select(static found => found.Message.Block));
            code.Line();
            Dispatch(
                $"AddSize(scoped {RuntimeNames.Place} place, ref {RuntimeNames.Size} size, int depth)",
                static found => $"size.AddCase<{RuntimeNames.SourceAndBlockOf(found.Message)}>(value, depth)");
            code.Line();
            Dispatch(
                $"Write(scoped {RuntimeNames.Place} place, ref {RuntimeNames.Writer} writer, int container, int offset, int depth)",
                static found => $"writer.WriteCase<{RuntimeNames.SourceAndBlockOf(found.Message)}>(container, offset, {Number(found)}, value, depth)");
            code.Line();
            Read();
        }
    }

    // An object of a derived type is not an object of the case, since its own members would be lost.
    private void Dispatch(string head, Func<CaseModel, string> call)
    {
        using (code.Block($"public static void {head}"))
        {
            code.Line($"place.Get(out {union.Type} source);");
            using var cases = code.Block("switch (source)");
            foreach (var found in union.Cases)
            {
                var type = found.Message.Type;
                code.Line($"case {type} value{(found.HasSubtypes ? $" when ((object)value).GetType() == typeof({type})" : "")}:");
                code.Line($"    {call(found)};");
                code.Line("    break;");
            }

            code.Line("default:");
            code.Line($"    {RuntimeNames.CaseFailure}.ThrowUndeclared(source);");
            code.Line("    break;");
        }
    }

    private void Read()
    {
        code.Line($"public static {union.Type} Read(ref {RuntimeNames.ObjectReader} reader, {RuntimeNames.CaseReader} found) => found.Number switch");
        using (code.Block("", ";"))
        {
            foreach (var found in union.Cases)
            {
                code.Line($"{Number(found)} => reader.ReadCase<{RuntimeNames.SourceAndBlockOf(found.Message)}>(found),");
            }

            code.Line($"_ => {RuntimeNames.CaseFailure}.ThrowUnknown<{union.Type}>(found),");
        }
    }

    private static string Number(CaseModel found) => found.Number.ToString(CultureInfo.InvariantCulture);
}
