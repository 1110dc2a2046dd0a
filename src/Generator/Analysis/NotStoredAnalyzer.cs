using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace BufferedMessages.Generator.Analysis;

/// <summary>Reports members that hold a value and are not stored, because a copy could not restore them.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class NotStoredAnalyzer() : SourceRuleAnalyzer(Rules.NotStored);
