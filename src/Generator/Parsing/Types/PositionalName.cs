using BufferedMessages.Generator.Model;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

namespace BufferedMessages.Generator.Parsing;

/// <summary>
/// A positional parameter of a record that has the name of a generated method of a base. The generator reports it, because the compiler stops at its own error
/// about the parameter, CS8866, before it runs analyzers.
/// </summary>
/// <param name="Type">The name of the record.</param>
/// <param name="Base">The name of the base.</param>
/// <param name="Name">The name of the parameter and of the method.</param>
/// <param name="File">The path of the file.</param>
/// <param name="Span">The place of the name in the file.</param>
/// <param name="Lines">The same by lines.</param>
internal sealed record PositionalName(string Type, string Base, string Name, string File, TextSpan Span, LinePositionSpan Lines)
{
    /// <summary>Determines quickly whether a node is a derived record with a positional parameter of such a name.</summary>
    public static bool IsCandidate(SyntaxNode node) =>
        node is RecordDeclarationSyntax { BaseList: not null, ParameterList.Parameters: var parameters }
        && parameters.Any(static parameter => parameter.Identifier.ValueText is GeneratedNames.Write or GeneratedNames.CalculateSize);

    /// <summary>Finds the parameter; null if it is not in the way of a generated method.</summary>
    public static PositionalName? In(RecordDeclarationSyntax record, SemanticModel model, CancellationToken cancellation)
    {
        if (model.GetDeclaredSymbol(record, cancellation) is not { } type || NameRules.PositionalConflict(type) is not var (parameter, found))
        {
            return null;
        }

        var place = parameter.Locations[0];
        return new PositionalName(type.Name, found.Name, parameter.Name, record.SyntaxTree.FilePath, place.SourceSpan, place.GetLineSpan().Span);
    }

    /// <summary>Creates the diagnostic.</summary>
    public Diagnostic ToProblem() => Diagnostic.Create(
        Rules.NameTaken,
        Location.Create(File, Span, Lines),
        $"The generated method of '{Base}', a base of '{Type}',",
        Name,
        $"a positional parameter of '{Type}' has it, and C# creates no property beside a method of a base; rename the parameter");
}
