using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace BufferedMessages.Generator.Analysis;

/// <summary>Reports members without an ordinal when others have one.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class MissingOrdinalAnalyzer() : SourceRuleAnalyzer(Rules.MissingOrdinal);
