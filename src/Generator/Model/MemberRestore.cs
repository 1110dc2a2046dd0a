namespace BufferedMessages.Generator.Model;

/// <summary>How <c>ToX()</c> gives the new object a member's value.</summary>
internal enum MemberRestore
{
    /// <summary>Not at all: it has no setter and no constructor parameter. It is stored for the view only, because <c>[BufferedMember]</c> says so.</summary>
    None,

    /// <summary>By a constructor parameter.</summary>
    Constructor,

    /// <summary>In the object initializer.</summary>
    Initializer,

    /// <summary>By an assignment behind it.</summary>
    Assignment,
}
