using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace BufferedMessages.Generator.Analysis;

/// <summary>Reports sources that are not partial.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class NotPartialAnalyzer() : SourceRuleAnalyzer(Rules.NotPartial);
