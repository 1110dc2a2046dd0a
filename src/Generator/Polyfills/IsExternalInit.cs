namespace System.Runtime.CompilerServices;

/// <summary>The compiler asks for it in records; netstandard2.0 lacks it.</summary>
internal static class IsExternalInit;
