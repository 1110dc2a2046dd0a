namespace BufferedMessages.Generator.Model;

/// <summary>The constructor that <c>ToX()</c> calls.</summary>
/// <param name="Call">The code before the arguments, for example <c>new Order</c>; nothing for a tuple.</param>
/// <param name="Arguments">The members that are its arguments, by their index in the message's member list.</param>
internal sealed record ConstructorModel(string Call, EquatableArray<int> Arguments)
{
    /// <summary>Gets the required members that are not stored, in C# syntax. C# demands them in the initializer, which gives them their default values.</summary>
    public EquatableArray<string> Unset { get; init; }
}
