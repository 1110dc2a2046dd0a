namespace BufferedMessages.Generator.Model;

/// <summary>The constructor that <c>ToX()</c> calls.</summary>
/// <param name="Arguments">The members that are its arguments, by their places in the message's member list.</param>
internal sealed record ConstructorModel(EquatableArray<int> Arguments);
