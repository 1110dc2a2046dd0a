namespace BufferedMessages.Generator.Emission;

/// <summary>An anonymous message in another one.</summary>
/// <param name="Message">The message.</param>
/// <param name="HasView">A member gives its view; that of a reserved ordinal would be of no use.</param>
internal sealed record AnonymousPlan(MessagePlan Message, bool HasView);
