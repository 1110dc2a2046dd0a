namespace BufferedMessages;

/// <summary>
/// A type whose instances can be written as messages. The generator implements it for every type
/// that carries <see cref="BufferedMessageSourceAttribute"/>.
/// </summary>
/// <typeparam name="TSelf">The implementing type itself.</typeparam>
public interface IBufferedMessageSource<TSelf>
    where TSelf : IBufferedMessageSource<TSelf>
{
    /// <summary>Gets the schema of the messages this type writes.</summary>
    static abstract MessageSchema Schema { get; }

    /// <summary>Calculates the exact size of the message that <see cref="Write"/> writes, in bytes: a multiple of 8.</summary>
    /// <exception cref="MessageTooLargeException">The message would exceed 2,147,483,647 bytes.</exception>
    /// <exception cref="MessageTooDeepException">Messages are nested more than 64 deep, or contain themselves.</exception>
    /// <exception cref="UndeclaredCaseException">The type of an object in a union is not one of its declared cases.</exception>
    /// <exception cref="DuplicateKeyException">Two keys of a dictionary, or two elements of a set, have the same bytes.</exception>
    int CalculateSize();

    /// <summary>Writes the message to the start of <paramref name="destination"/> in one pass.</summary>
    /// <param name="destination">At least <see cref="CalculateSize"/> bytes; it need not be cleared. Nothing outside of it is written.</param>
    /// <returns>The size of the message in bytes.</returns>
    /// <exception cref="ArgumentException">
    /// The destination is too small, a string holds an unpaired surrogate, or the source was changed since its size was calculated. The content of the destination is then undefined.
    /// </exception>
    /// <exception cref="MessageTooDeepException">Messages are nested more than 64 deep, or contain themselves.</exception>
    /// <exception cref="UndeclaredCaseException">The type of an object in a union is not one of its declared cases.</exception>
    /// <exception cref="DuplicateKeyException">Two keys of a dictionary, or two elements of a set, have the same bytes.</exception>
    int Write(Span<byte> destination);
}
