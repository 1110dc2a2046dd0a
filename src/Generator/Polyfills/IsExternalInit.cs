namespace System.Runtime.CompilerServices;

/// <summary>The type that the compiler needs for records, which netstandard2.0 lacks.</summary>
internal static class IsExternalInit;
