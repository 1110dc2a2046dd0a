namespace System;

/// <summary>The type that the compiler needs for list patterns, which netstandard2.0 lacks.</summary>
internal readonly struct Index(int value, bool fromEnd = false)
{
    /// <summary>Gets the index from the start of a list of this length.</summary>
    public int GetOffset(int length) => fromEnd ? length - value : value;
}
