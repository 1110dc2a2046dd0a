using BufferedMessages.Wire;

namespace BufferedMessages;

/// <content>The methods that are called on the type of a view.</content>
public static partial class BufferedMessage
{
    extension<TView>(TView)
        where TView : IBufferedMessage<TView>, allows ref struct
    {
        /// <summary>
        /// Checks a whole message against the wire format, for example
        /// <c>OrderBufferedMessage.Verify(bytes, out var error)</c>. The time is linear in the message's size, whatever its bytes are.
        /// Allocates nothing as long as the message is valid. In generic code, where the view is a type parameter, write
        /// <c>BufferedMessage.Verify&lt;TView&gt;(bytes, out var error)</c>.
        /// </summary>
        /// <remarks>
        /// Reading is safe without it: a damaged message reads as other values or throws <see cref="MalformedMessageException"/>. Everything in a valid
        /// message can be read and copied without that exception, as long as its bytes do not change. Converters are not called: one
        /// may still refuse a value when that value is read.
        /// </remarks>
        /// <param name="message">The message, at any alignment; bytes after its end are ignored.</param>
        /// <param name="error">If the result is false, the first rule that is broken, and where.</param>
        /// <param name="exact">
        /// True to require the bytes that no member owns to be as a writer of this very schema leaves them. If false, they may be anything,
        /// because a newer writer may keep members there that this type does not know.
        /// </param>
        /// <returns>True if the message is valid.</returns>
        public static bool Verify(ReadOnlySpan<byte> message, out MessageError error, bool exact = false) =>
            MessageVerifier.Verify<TView>(message, exact, out error);

        /// <summary>
        /// Verifies a message from an untrusted source, such as a network, and creates a view of it. In generic code, write
        /// <c>BufferedMessage.CreateVerified&lt;TView&gt;(bytes)</c>.
        /// </summary>
        /// <param name="message">The message, at any alignment; bytes after its end are ignored. The view is valid as long as these bytes are.</param>
        /// <param name="exact">True to require the bytes that no member owns to be as a writer of this very schema leaves them.</param>
        /// <exception cref="MalformedMessageException">The message is not valid; the exception says where and why.</exception>
        public static TView CreateVerified(ReadOnlySpan<byte> message, bool exact = false)
        {
            if (!MessageVerifier.Verify<TView>(message, exact, out var error))
            {
                Malformed.Throw(error);
            }

            return Create<TView>(message);
        }

        /// <summary>
        /// Writes an object as a message to a pooled buffer, where the view reads it, for example
        /// <c>using var owner = OrderBufferedMessage.CreatePooled(order)</c>. In generic code, write <c>BufferedMessage.CreatePooled&lt;TView, TSource&gt;(source)</c>.
        /// </summary>
        /// <typeparam name="TSource">The type of the object.</typeparam>
        /// <param name="source">The object; later changes to it do not affect the message.</param>
        /// <param name="pool">The pool of the buffer; null for <see cref="BufferPool.Shared"/>.</param>
        /// <returns>The message; dispose it to return the buffer.</returns>
        /// <exception cref="SchemaMismatchException">The view belongs to another type, and cannot read messages of this one.</exception>
        /// <exception cref="ArgumentException">A string holds an unpaired surrogate.</exception>
        /// <exception cref="MessageTooLargeException">The message would exceed 2,147,483,647 bytes.</exception>
        /// <exception cref="MessageTooDeepException">Messages are nested more than 64 deep, or contain themselves.</exception>
        /// <exception cref="UndeclaredCaseException">The type of an object in a union is not one of its declared cases.</exception>
        /// <exception cref="DuplicateKeyException">Two keys of a dictionary, or two elements of a set, have the same bytes.</exception>
        public static PooledBufferedMessage<TView> CreatePooled<TSource>(TSource source, BufferPool? pool = null)
            where TSource : IBufferedMessageSource<TSource>
        {
            if (!ReferenceEquals(TView.Schema, TSource.Schema))
            {
                TView.Schema.RequireCompatible(TSource.Schema);
            }

            return new PooledBufferedMessage<TView>(PooledMessage.Of(source, (pool ?? BufferPool.Shared).Store));
        }
    }
}
