namespace BufferedMessages.Generator.Model;

/// <summary>The names of a generated type, a view or a writer.</summary>
/// <param name="Accessibility">The same as the source's.</param>
/// <param name="Name">Its simple name as C# code writes it.</param>
/// <param name="Type">The type from everywhere.</param>
internal sealed record ViewModel(string Accessibility, string Name, string Type);
