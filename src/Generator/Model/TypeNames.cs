namespace BufferedMessages.Generator.Model;

/// <summary>The names of a generated type, beside a source or nested in another generated type.</summary>
/// <param name="Accessibility">The same as the source's.</param>
/// <param name="Name">Its simple name in C# syntax.</param>
/// <param name="Type">Its fully qualified name.</param>
internal sealed record TypeNames(string Accessibility, string Name, string Type);
