using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace BufferedMessages.Queues;

/// <summary>The check of the payloads of a producer of bytes: each must be a value of one type, or a whole message of a schema. Null checks nothing.</summary>
internal sealed class PublishCheck(Type? value, int valueBytes, MessageSchema? schema)
{
    /// <summary>Requires values of a type.</summary>
    public static PublishCheck Of<T>()
        where T : unmanaged
        => new(typeof(T), Unsafe.SizeOf<T>(), schema: null);

    /// <summary>Requires messages of a schema.</summary>
    public static PublishCheck Of(MessageSchema schema) => new(value: null, 0, schema);

    /// <summary>Requires messages of a schema, if the content has one.</summary>
    public static PublishCheck? Of(RecordContent content) => content.Schema is { } schema ? Of(schema) : null;

    /// <summary>Requires bytes to be of the queue's content.</summary>
    /// <exception cref="ArgumentException">They do not have the length of a value.</exception>
    /// <exception cref="MalformedMessageException">They are not a message of the schema.</exception>
    public void Require(ReadOnlySpan<byte> payload)
    {
        if (value is not null && payload.Length != valueBytes)
        {
            throw new ArgumentException($"The queue holds values of {value}, which have {valueBytes} bytes, not {payload.Length}. Nothing was published.", nameof(payload));
        }

        if (schema is not null && !schema.Check.Verify(payload, out var error, exact: false))
        {
            throw new MalformedMessageException(error);
        }
    }

    /// <summary>Requires the values of a type to be the queue's content.</summary>
    /// <exception cref="ArgumentException">They are not.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void RequireValue<T>()
        where T : unmanaged
    {
        if (value != typeof(T))
        {
            RefuseValue(typeof(T));
        }
    }

    [DoesNotReturn]
    private void RefuseValue(Type type) => throw new ArgumentException(
        value is null
            ? $"The queue holds messages of {schema!.Name}, not values of {type}. Open a producer of values on another queue."
            : $"The queue holds values of {value}, not of {type}. Publish such a value, or use another queue.");
}
