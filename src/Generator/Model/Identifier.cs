using Microsoft.CodeAnalysis.CSharp;

namespace BufferedMessages.Generator.Model;

/// <summary>Names in C# syntax.</summary>
internal static class Identifier
{
    /// <summary>Escapes the name of a member or a local with @ if it is a keyword.</summary>
    public static string Escape(this string name) => SyntaxFacts.GetKeywordKind(name) != SyntaxKind.None ? "@" + name : name;

    /// <summary>Escapes the name of a type with @ if it is a keyword. Contextual keywords count too, because some of them cannot be type names.</summary>
    public static string EscapeType(this string name) => SyntaxFacts.GetContextualKeywordKind(name) != SyntaxKind.None ? "@" + name : name.Escape();
}
