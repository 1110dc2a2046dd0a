using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace BufferedMessages.Generator.Analysis;

/// <summary>Reports sources that are static, abstract or ref structs.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class NotConstructibleAnalyzer() : SourceRuleAnalyzer(Rules.NotConstructible);
