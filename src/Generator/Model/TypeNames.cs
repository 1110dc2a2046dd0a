namespace BufferedMessages.Generator.Model;

/// <summary>The names of a generated type, beside a source or nested in another generated type.</summary>
/// <param name="Accessibility">The same as the source's.</param>
/// <param name="Name">Its simple name as C# code writes it.</param>
/// <param name="Type">The type from everywhere.</param>
internal sealed record TypeNames(string Accessibility, string Name, string Type);
