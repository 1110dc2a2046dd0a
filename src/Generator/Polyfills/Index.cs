namespace System;

/// <summary>The compiler asks for it in list patterns; netstandard2.0 lacks it.</summary>
internal readonly struct Index(int value, bool fromEnd = false)
{
    /// <summary>The index from the start of a list of this length.</summary>
    public int GetOffset(int length) => fromEnd ? length - value : value;
}
