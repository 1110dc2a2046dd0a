namespace BufferedMessages.Generator.Analysis;

/// <summary>The kind of a use after the end of a lifetime.</summary>
internal enum LateUse
{
    /// <summary>A view is read.</summary>
    View,

    /// <summary>A view is returned to the caller.</summary>
    Return,

    /// <summary>A member of a closed holder is used.</summary>
    Member,

    /// <summary>A closed holder is closed again, by a member that must be called only once.</summary>
    ClosingMember,
}
