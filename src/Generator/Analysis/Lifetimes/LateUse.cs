namespace BufferedMessages.Generator.Analysis;

/// <summary>How something is used after its life ended.</summary>
internal enum LateUse
{
    /// <summary>A view is read.</summary>
    View,

    /// <summary>A view is given to the caller.</summary>
    Return,

    /// <summary>A member of what was closed is used.</summary>
    Member,

    /// <summary>What was closed is closed again, by a member that must come once.</summary>
    ClosingMember,
}
