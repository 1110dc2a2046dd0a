using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace BufferedMessages.Generator.Analysis;

/// <summary>Reports unions without cases.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class NoCasesAnalyzer() : SourceRuleAnalyzer(Rules.NoCases);
