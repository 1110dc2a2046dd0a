namespace BufferedMessages;

/// <summary>
/// The converter of a type that messages cannot store, such as <see cref="Uri"/>, or should store in another form. On a member it applies to that member, on the
/// assembly to all sources in it, and on a type to all its uses. A converter on the member takes precedence over one on the assembly, and that over one on the type.
/// </summary>
/// <remarks>
/// <para>
/// A converter is a class with two static methods: <c>TWire ToWire(T value)</c> and <c>T FromWire(TWire value)</c>. The wire type is a value, a string or bytes; it
/// determines the kind in the message. For strings and bytes a third method, <c>T FromWire(ReadOnlySpan&lt;byte&gt; value)</c>, lets views read without allocating; it gets the
/// UTF-8 bytes of a string.
/// </para>
/// <para>
/// The methods never get null: a null is stored as null. They must be thread-safe. An exception from <c>FromWire</c> becomes a <see cref="MalformedMessageException"/>; one from
/// <c>ToWire</c> ends the write.
/// </para>
/// </remarks>
[AttributeUsage(
    AttributeTargets.Property | AttributeTargets.Field | AttributeTargets.Class | AttributeTargets.Struct | AttributeTargets.Interface | AttributeTargets.Enum | AttributeTargets.Assembly,
    AllowMultiple = true,
    Inherited = false)]
public sealed class BufferedMessageConverterAttribute : Attribute
{
    /// <summary>Names the converter.</summary>
    /// <param name="converter">The class with the methods <c>ToWire</c> and <c>FromWire</c>.</param>
    public BufferedMessageConverterAttribute(Type converter) => Converter = converter;

    /// <summary>Gets the class with the methods <c>ToWire</c> and <c>FromWire</c>.</summary>
    public Type Converter { get; }
}
