namespace BufferedMessages.Generator.Model;

/// <summary>One case of a union.</summary>
/// <param name="Number">The number that stands for it in messages.</param>
/// <param name="Name">Its name in the view and in the enum.</param>
/// <param name="Message">Its messages.</param>
/// <param name="Accessibility">That of what the view has for it.</param>
/// <param name="HasSubtypes">Other types may derive from its type, which are no objects of this case.</param>
internal sealed record CaseModel(int Number, string Name, MessageKind Message, string Accessibility, bool HasSubtypes);
