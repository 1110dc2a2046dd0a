using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace BufferedMessages.Generator.Analysis;

/// <summary>Reports sources without members.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class NoMembersAnalyzer() : SourceRuleAnalyzer(Rules.NoMembers);
