namespace BufferedMessages;

/// <summary>The declaration of a case of a union.</summary>
/// <typeparam name="TCase">
/// The type of the case: a message source that derives from the union or implements it. Objects of derived types are not objects
/// of this case; declare those types as cases of their own.
/// </typeparam>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Interface, AllowMultiple = true, Inherited = false)]
public sealed class BufferedCaseAttribute<TCase> : Attribute
{
    /// <summary>Declares a case.</summary>
    /// <param name="number">
    /// The number that stands for the case in messages, 1 to 65,535. It never changes. Together, cases and reserved numbers are 1 to n without gaps.
    /// </param>
    public BufferedCaseAttribute(int number) => Number = number;

    /// <summary>Gets the number that stands for the case in messages.</summary>
    public int Number { get; }

    /// <summary>Gets or sets the name of the case in the view and in the enum of cases; by default the name of the type.</summary>
    public string? Name { get; set; }
}
