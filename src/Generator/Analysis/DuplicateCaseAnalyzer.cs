using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace BufferedMessages.Generator.Analysis;

/// <summary>Reports types that are declared as cases twice.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class DuplicateCaseAnalyzer() : SourceRuleAnalyzer(Rules.DuplicateCase);
