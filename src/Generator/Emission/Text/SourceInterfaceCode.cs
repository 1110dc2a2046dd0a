using BufferedMessages.Generator.Model;

namespace BufferedMessages.Generator.Emission;

/// <summary>The code of the interfaces by which objects are written: that of the type itself, and those of the unions that it implements.</summary>
internal static class SourceInterfaceCode
{
    /// <summary>Gets the name of the interface of a type.</summary>
    public static string NameOf(string type) => $"{RuntimeNames.Product}IBufferedMessageSource<{type}>";

    /// <summary>Gets the base list of a type. The unions are in it, because a type can implement only interfaces of its own list, and a base may be the one that lists a union.</summary>
    /// <param name="type">The type itself.</param>
    /// <param name="unions">The unions that it implements.</param>
    public static string BasesOf(string type, EquatableArray<string> unions) => string.Join(", ", unions.Prepend(type).Select(NameOf));

    /// <summary>
    /// Emits the members of the interfaces. Those of the unions are implemented explicitly, because the type's own methods, which write another message,
    /// would implement them otherwise.
    /// </summary>
    /// <param name="code">The file.</param>
    /// <param name="type">The type itself.</param>
    /// <param name="content">The type and its block, as type arguments.</param>
    /// <param name="isSizeExplicit">Whether the name of the method for the size is taken.</param>
    /// <param name="isWriteExplicit">Whether the name of the method that writes is taken.</param>
    /// <param name="unions">The unions that the type implements.</param>
    /// <param name="documentation">Lines about the type's own methods, after those that are inherited.</param>
    public static void Emit(
        SourceWriter code, string type, string content, bool isSizeExplicit, bool isWriteExplicit, EquatableArray<string> unions, params string[] documentation)
    {
        code.Line($"static {RuntimeNames.Schema} {NameOf(type)}.Schema => {GeneratedNames.Block}.Schema;");
        Methods(code, NameOf(type), content, isSizeExplicit, isWriteExplicit, ["/// <inheritdoc/>", .. documentation]);
        foreach (var union in unions)
        {
            Methods(code, NameOf(union), RuntimeNames.SourceAndRootOf(union), isSizeExplicit: true, isWriteExplicit: true, documentation: []);
        }
    }

    /// <summary>Emits the member <c>Schema</c> of a block.</summary>
    public static void Schema(SourceWriter code, string creation, string fullName, IEnumerable<string> lines, IEnumerable<string> blocks)
    {
        var texts = lines.Select(static line => $"\"{line}\\n\"").DefaultIfEmpty("\"\"");
        code.Line($"public static {RuntimeNames.Schema} Schema {{ get; }} = {creation}(");
        code.Line($"    \"{fullName}\",");
        code.Lines("    " + string.Join(" +\n    ", texts) + ",");
        code.Line($"    static () => [{string.Join(", ", blocks.Select(static block => block + ".Schema"))}]);");
    }

    private static void Methods(SourceWriter code, string source, string content, bool isSizeExplicit, bool isWriteExplicit, string[] documentation)
    {
        Method(GeneratedNames.CalculateSize, "", isSizeExplicit, $"{RuntimeNames.Size}.Of<{content}>(this)");
        Method(GeneratedNames.Write, "global::System.Span<byte> destination", isWriteExplicit, $"{RuntimeNames.Writer}.Write<{content}>(this, destination)");

        void Method(string name, string parameters, bool isExplicit, string call)
        {
            code.Line();
            code.All(documentation);
            code.Line(RuntimeNames.GeneratedCode);
            code.Line($"{(isExplicit ? $"int {source}." : "public int ")}{name}({parameters}) => {call};");
        }
    }
}
