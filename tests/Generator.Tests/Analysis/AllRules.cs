using System.Reflection;
using BufferedMessages.Generator.Parsing;
using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Tests;

/// <summary>Every rule that has a descriptor.</summary>
internal static class AllRules
{
    public static IReadOnlyList<DiagnosticDescriptor> Descriptors { get; } =
        [.. typeof(Rules).GetFields(BindingFlags.Static | BindingFlags.Public).Select(static field => field.GetValue(null)).OfType<DiagnosticDescriptor>()];
}
