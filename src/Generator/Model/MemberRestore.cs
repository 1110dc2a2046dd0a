namespace BufferedMessages.Generator.Model;

/// <summary>The way in which <c>ToX()</c> restores a member.</summary>
internal enum MemberRestore
{
    /// <summary>Not at all, as it has neither setter nor constructor parameter. <c>[BufferedMember]</c> makes it stored for the view only.</summary>
    None,

    /// <summary>By a constructor parameter.</summary>
    Constructor,

    /// <summary>In the object initializer.</summary>
    Initializer,

    /// <summary>By an assignment after the initializer.</summary>
    Assignment,
}
