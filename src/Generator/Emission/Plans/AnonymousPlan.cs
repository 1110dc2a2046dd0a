namespace BufferedMessages.Generator.Emission;

/// <summary>An anonymous message in another one.</summary>
/// <param name="Message">The message.</param>
/// <param name="HasView">It needs a view, because a member returns it; a reserved ordinal needs none.</param>
internal sealed record AnonymousPlan(MessagePlan Message, bool HasView);
