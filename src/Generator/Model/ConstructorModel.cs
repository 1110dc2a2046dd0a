namespace BufferedMessages.Generator.Model;

/// <summary>The constructor that <c>ToX()</c> calls.</summary>
/// <param name="Arguments">The ordinals of the members that are its arguments.</param>
internal sealed record ConstructorModel(EquatableArray<int> Arguments);
