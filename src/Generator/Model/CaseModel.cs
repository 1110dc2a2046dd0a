namespace BufferedMessages.Generator.Model;

/// <summary>One case of a union.</summary>
/// <param name="Number">The number that identifies it in messages.</param>
/// <param name="Name">Its name in the view and in the enum.</param>
/// <param name="Message">The kind of its messages.</param>
/// <param name="Accessibility">The accessibility of the view's members for it.</param>
/// <param name="HasSubtypes">Other types can derive from its type; their objects are not objects of this case.</param>
internal sealed record CaseModel(int Number, string Name, MessageKind Message, string Accessibility, bool HasSubtypes);
