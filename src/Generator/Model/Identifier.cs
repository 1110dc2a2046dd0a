using Microsoft.CodeAnalysis.CSharp;

namespace BufferedMessages.Generator.Model;

/// <summary>Names as C# code writes them.</summary>
internal static class Identifier
{
    /// <summary>The name of a member or a local, with an @ in front if it is a keyword.</summary>
    public static string Escape(this string name) => SyntaxFacts.GetKeywordKind(name) != SyntaxKind.None ? "@" + name : name;

    /// <summary>The name of a type, with an @ in front if it is a keyword anywhere: some may be no type's name without it.</summary>
    public static string EscapeType(this string name) => SyntaxFacts.GetContextualKeywordKind(name) != SyntaxKind.None ? "@" + name : name.Escape();
}
