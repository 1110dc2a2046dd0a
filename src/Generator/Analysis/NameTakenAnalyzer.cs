using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace BufferedMessages.Generator.Analysis;

/// <summary>Reports names that generated code needs and the user's code has.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class NameTakenAnalyzer() : SourceRuleAnalyzer(Rules.NameTaken);
