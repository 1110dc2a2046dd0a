using System.Globalization;
using BufferedMessages.Generator.Model;

namespace BufferedMessages.Generator.Emission;

/// <summary>The emitter of the file of one union.</summary>
internal static class UnionEmitter
{
    /// <summary>Emits the file.</summary>
    public static EmittedFile Emit(UnionModel union)
    {
        var frame = new FileFrame(union.FullName, union.HintName, union.Namespace, union.Containers, union.Diagnostics, union.IsClsCompliant);
        return frame.Around(code =>
        {
            new UnionPartEmitter(code, union).Emit();
            code.Line();
            Enum(code, union);
            code.Line();
            new UnionViewEmitter(code, union).Emit();
        });
    }

    private static void Enum(SourceWriter code, UnionModel union)
    {
        code.Lines(
            $"""
            /// <summary>The cases of <see cref="{union.Type}"/>. A case that a newer program added has a number without a name here.</summary>
            {RuntimeNames.GeneratedCode}
            """);
        code.All(union.Cautions);
        using (code.Block($"{union.Enum.Accessibility} enum {union.Enum.Name}"))
        {
            code.Line("/// <summary>The union is null.</summary>");
            code.Line($"{GeneratedNames.NoCase} = 0,");
            foreach (var found in union.Cases)
            {
                code.Line();
                code.Line($"/// <summary>A <see cref=\"{found.Message.Type}\"/>.</summary>");
                code.Line(string.Format(CultureInfo.InvariantCulture, "{0} = {1},", found.Name.Escape(), found.Number));
            }
        }
    }
}
