using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace BufferedMessages.Generator.Analysis;

/// <summary>Reports file-local sources.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class FileLocalAnalyzer() : SourceRuleAnalyzer(Rules.FileLocal);
