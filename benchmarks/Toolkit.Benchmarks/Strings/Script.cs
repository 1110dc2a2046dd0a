namespace Toolkit.Benchmarks.Strings;

/// <summary>What a text is made of.</summary>
public enum Script
{
    /// <summary>One byte of UTF-8 a character.</summary>
    Ascii,

    /// <summary>A letter outside of ASCII in every eighth place, as in German; it takes two bytes.</summary>
    Latin,

    /// <summary>Chinese, three bytes a character.</summary>
    Cjk,

    /// <summary>Pairs of surrogates, four bytes a pair.</summary>
    Emoji,
}
